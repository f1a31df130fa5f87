import mark from '../../../assets/parley.svg?inline';

/** Shows the product's logo, without a load. Screen readers skip it, because the name is beside it. */
export const Mark = () => <img className="mark" src={mark} alt="" draggable={false} />;
