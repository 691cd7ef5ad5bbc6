import { describe, expect, it } from 'vitest';
import { ERROR_SECTIONS, HEADINGS, headingOfError } from '#mail/notices/runbook.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { heldNotice } from '#page/send-page.ts';
import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import { textOf } from '#support/documentation/documents.ts';

/** The sections of a document by their headings. A section ends at the next heading of any depth. */
function sectionsOf(document: string): Map<string, string> {
  const text = textOf(`docs/${document}.md`);
  const parts = text.split(/^#{2,4} /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))]));
}

const documents = { runbook: sectionsOf('runbook'), operations: sectionsOf('operations') };

it('docs/operations.md shows a notice as it is sent', () => {
  const [, shown = ''] = /```\n(Subject: [^]+?)```/.exec(documents.operations.get('Notices') ?? '') ?? [];
  const place = {
    stage: 'prod',
    bucket: 'daybook-data-of-prod',
    runbook: 'https://wiki.example.com/daybook/runbook',
  };
  const { subject, text } = renderOpsNotice(
    { about: '', ...heldNotice({ ...merchantDay('700001', '2026-11-20'), revision: 1 }, 2) },
    place,
  );
  expect(shown).toBe(`Subject: ${subject}\n\n${text}`);
});

describe('the sections that notices link', () => {
  it.each(Object.entries(HEADINGS))('exist: %s', (_, { document, heading }) => {
    expect(documents[document].has(heading), `docs/${document}.md has no heading "${heading}"`).toBe(true);
  });

  it.each(Object.entries(ERROR_SECTIONS).flatMap(([name, errors]) => errors.map((error) => [error, name])))(
    'explain the error that a notice names: %s',
    (error) => {
      const { document, heading } = HEADINGS[headingOfError(error)];
      const section = documents[document].get(heading) ?? '';
      expect(section).toMatch(new RegExp(`^(?:- \\*\\*|\\| )[^|:]*\`${error}\``, 'm'));
    },
  );

  it('are known for every error that docs/operations.md explains', () => {
    const known: string[] = Object.values(ERROR_SECTIONS).flat();
    const explained = [...documents.operations.values()].flatMap((section) =>
      [...section.matchAll(/^(?:- \*\*|\| )([^|*]*`\w+Error`[^|*]*)[|*]/gm)].flatMap(([, names = '']) =>
        [...names.matchAll(/`(\w+Error)`/g)].map(([, name = '']) => name),
      ),
    );
    expect(explained.length).toBeGreaterThan(30);
    expect([...new Set(explained)].sort()).toEqual(known.toSorted());
  });
});
