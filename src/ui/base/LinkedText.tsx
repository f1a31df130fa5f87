import { Fragment } from 'react';
import { LINK_ATTRIBUTES } from './linkAttributes.ts';
import { splitLinks } from './splitLinks.ts';

/** Shows a text with its addresses as links. Its characters stay the same. */
export const LinkedText = ({ text }: { readonly text: string }) =>
  splitLinks(text).map((part, index) => (
    // Parts have no state, so an index identifies a part.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{part.isLink ? <Link address={part.text} /> : part.text}</Fragment>
  ));

const Link = ({ address }: { readonly address: string }) => (
  <a href={address} dir="auto" {...LINK_ATTRIBUTES}>
    {address}
  </a>
);
