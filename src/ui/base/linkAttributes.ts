/** The attributes of each link to another site: it opens outside the window, and the site does not learn where. */
export const LINK_ATTRIBUTES = { target: '_blank', rel: 'noopener noreferrer' } as const;
