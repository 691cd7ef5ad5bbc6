import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeMailPages } from '#bin/local/mail-files.ts';
import { newDirectory } from '#support/machine.ts';
import { mailWith } from '#support/browser/hostile-mails.ts';

let directory: string;
beforeEach(() => {
  directory = newDirectory();
});

const read = (name: string) => readFileSync(join(directory, name), 'utf8');

it('show the mail in a sandboxed frame that the mail cannot break out of', async () => {
  writeFileSync(join(directory, '0001.eml'), mailWith(`<p title='"></iframe>'>1 &amp;quot; 2 "</p>`));
  writeFileSync(join(directory, '0002.eml'), 'Subject: words only\r\n\r\nno page');
  expect(await writeMailPages(directory)).toBe(2);
  const [before, framed = '', ...after] = read('0001.html').split('"the mail" srcdoc="');
  expect(before).toMatch(/<iframe sandbox title=$/);
  expect(after).toEqual([]);
  expect(framed.split('"')).toEqual([expect.stringContaining('1 &amp;amp;quot; 2'), '></iframe>\n']);
  expect(() => read('0002.html')).toThrow('ENOENT');
});

it('are written once, and again when an earlier version wrote them', async () => {
  writeFileSync(join(directory, '0001.eml'), mailWith('<p>new</p>'));
  const page = join(directory, '0001.html');
  writeFileSync(page, '<meta http-equiv=refresh content="0;url=http://elsewhere.example">');
  await writeMailPages(directory);
  expect(read('0001.html')).not.toContain('elsewhere');
  utimesSync(page, 1, 1);
  await writeMailPages(directory);
  expect(statSync(page).mtimeMs).toBe(1_000);
});
