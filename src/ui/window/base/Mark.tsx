import mark from '../../../assets/parley.svg';

/** Shows the product's logo. Screen readers skip it, because the name is beside it. */
export const Mark = () => <img className="mark" src={mark} alt="" draggable={false} />;
