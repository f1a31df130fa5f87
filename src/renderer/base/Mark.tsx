import mark from '../../assets/parley.svg';

/** The product's mark. Its name stands beside it, so that it is not read out. */
export const Mark = () => <img className="mark" src={mark} alt="" draggable={false} />;
