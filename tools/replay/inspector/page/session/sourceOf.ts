import { pageSecretHeaders } from '#loopback/pageSecret.ts';
import { decodeBase64 } from '#ui/base/base64.ts';
import type { Source } from '../../protocol/protocol.ts';
import { type InspectorConfig, elementText } from './config.ts';

type Configured = NonNullable<InspectorConfig['source']>;

/** Returns the source to load first; `undefined` for a live session. */
export function sourceOf(page: Document, source: Configured): Source | undefined {
  if ('live' in source) return undefined;
  const { name } = source;
  if ('url' in source) {
    const url = new URL(source.url, page.baseURI).href;
    return { kind: 'url', url, name, headers: pageSecretHeaders(window) };
  }
  const bytes = decodeBase64(elementText(page, source.elementId).trim());
  if (bytes === null) throw new Error('The capture in this page is damaged. Make the report again.');
  return { kind: 'file', file: new Blob([bytes]), name };
}
