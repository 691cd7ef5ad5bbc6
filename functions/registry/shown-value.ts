const ZONE =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z_/+-]{1,30}$/;
const TIME = /^[\d:. ]{1,8}(?:am|pm)?$/i;
const AMOUNT = /^-?[\d.,]{1,12} ?%?$/;
const NUMBER = /^-?\d{1,6}$/;
const CODE = /^[\d ._/-]{1,9}$/;
const DURATION = /^\d{1,4} ?(?:m|h|d|s|w|min|minutes?|hours?|days?)?$/i;

/** A text of such a form is nobody's name, address or password. */
const FORMS = new Map<string, RegExp>([
  ['merchantCode', CODE],
  ['merchants', CODE],
  ['prefix', CODE],
  ['timeZone', ZONE],
  ['reportAt', TIME],
  ['notBefore', TIME],
  ['reportFrom', /^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/],
  ['muteUntil', /^\d{4}-\d{2}-\d{2}[T ]?[\d:.]{0,12} ?(?:Z|[+-]\d{2}:?\d{2})?$/],
  ['at', TIME],
  ['repeatAfter', DURATION],
  ['waitFor', DURATION],
  ['correctFor', DURATION],
  ['onDay', NUMBER],
  ['currency', /^[A-Za-z]{2,4}$/],
  ['language', /^[A-Za-z]{2}(?:-[A-Za-z]{2})?$/],
  ['colour', /^#?[0-9A-Fa-f]{3,8}$/],
  ['lookbackDays', NUMBER],
  ['invoiceTypes', NUMBER],
  ['maxConcurrency', NUMBER],
  ['forChecks', NUMBER],
  ['above', AMOUNT],
  ['below', AMOUNT],
  ['clearAt', AMOUNT],
  ['withinDays', NUMBER],
  ['createdWithinDays', NUMBER],
]);

const LARGEST_NUMBER = 1e6;

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[ _-]/g, '');
}

function isNearly(text: string, candidates: readonly string[]): boolean {
  if (text.length > 40) return false;
  const plain = letters(text);
  return candidates.some((candidate) => letters(candidate) === plain);
}

/**
 * People may have put an address, a name or a password in the wrong place: a text is shown only in the form
 * of its setting's values, else `undefined`.
 * @param at its place in the registry
 * @param candidates allowed values
 */
export function shownValue(
  at: readonly PropertyKey[],
  value: unknown,
  candidates: readonly string[],
): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return String(value);
    case 'number':
      return Math.abs(value) < LARGEST_NUMBER ? String(value) : 'a number';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'a list' : 'an object';
    case 'string': {
      const setting = at.findLast((step) => typeof step === 'string');
      const isOfForm = setting !== undefined && FORMS.get(setting)?.test(value) === true;
      if (isOfForm || isNearly(value, candidates)) return JSON.stringify(value);
      return undefined;
    }
    default:
      return undefined;
  }
}
