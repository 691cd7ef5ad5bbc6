/**
 * Texts that break readers of CSV or JSON. Each comes back from the lake unchanged, except for the rules of the CSV.
 */
export const HOSTILE_TEXTS: Record<string, string> = {
  quotes: '"',
  'quotes and commas': 'a "quoted", word',
  'a quote, a comma, a quote': '","',
  'quotes at both ends': '""both""',
  backslashes: '\\',
  'a backslash before a quote': 'C:\\new\\"table"\\',
  'line breaks': 'one\ntwo\r\nthree\rfour',
  'a backslash and n': 'one\\ntwo',
  separators: 'one\u2028two\u2029three\u0085four\u000bfive\u000csix',
  'Arabic, right to left': 'فاتورة \u202eرقم\u202c ٣',
  emoji: '👩‍👩‍👧‍👦🇰🇼',
  'the escape character': 'a\uE000"b\uE000\uE000',
  'control characters': 'a\u0001\u001f\tb\u007f',
  'a null character': 'a\u0000b',
  'JSON inside': '{"a":[1,"two"],"A":null}',
  'a number': '00123.4500',
  'the word null': 'null',
  'the null of Hive': '\\N',
  'a comment': '-- /* # //',
  'spaces around': '  padded  ',
  'nothing but a space': ' ',
  empty: '',
  long: `${'x,"y"\\'.repeat(4_000)}end`,
};
