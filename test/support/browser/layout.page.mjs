// Runs in the page that is looked at, and so is plain JavaScript.

/** What is wrong with how the page is laid out, in words; nothing where all is well. */
globalThis.layoutFaults = () => {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`scrolls sideways: ${root.scrollWidth} in ${root.clientWidth}`);
  }
  // Every line of text as it is drawn. What nobody sees (the text beside the subject) is left out.
  const lines = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const owner = node.parentElement;
    if (text === '' || owner === null || getComputedStyle(owner).opacity === '0') continue;
    if (
      owner.closest('[style*="display:none"]') !== null ||
      Number.parseFloat(getComputedStyle(owner).fontSize) < 2
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue;
      lines.push({ text: text.slice(0, 40), box, owner });
      if (box.left < -0.5 || box.right > root.clientWidth + 0.5) {
        faults.push(`outside of the page: "${text.slice(0, 40)}" (${box.left} to ${box.right})`);
      }
    }
  }
  for (const element of document.querySelectorAll('td, th, p, h1, h2, div')) {
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow !== 'visible') {
      faults.push(`clipped: "${(element.textContent ?? '').trim().slice(0, 40)}"`);
    }
  }
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      // Lines of one text stand close, and marks above letters reach into the line before.
      if (across > 2 && down > 7 && one.owner !== other.owner) {
        faults.push(`"${one.text}" lies over "${other.text}"`);
      }
    }
  }
  return faults.slice(0, 5);
};

/** Whether the cells of each row, and the parts of each bar, stand one after the other in the direction of reading. */
globalThis.orderFaults = (reading) => {
  const faults = [];
  const before = (one, other) =>
    reading === 'ltr' ? one.right <= other.left + 1 : one.left >= other.right - 1;
  for (const row of document.querySelectorAll('tr')) {
    const cells = [...row.children].map((cell) => ({ cell, box: cell.getBoundingClientRect() }));
    for (const [index, { cell, box }] of cells.slice(1).entries()) {
      const previous = cells[index];
      if (previous !== undefined && !before(previous.box, box)) {
        faults.push(`"${(cell.textContent ?? '').trim().slice(0, 40)}" stands before what comes first`);
      }
    }
  }
  for (const heading of document.querySelectorAll('h1, h2')) {
    const range = document.createRange();
    range.selectNodeContents(heading);
    // A line of both scripts is drawn in several boxes.
    const boxes = [...range.getClientRects()];
    const box = heading.getBoundingClientRect();
    const gap =
      reading === 'ltr'
        ? Math.min(...boxes.map(({ left }) => left)) - box.left
        : box.right - Math.max(...boxes.map(({ right }) => right));
    if (gap > 1) faults.push(`"${heading.textContent ?? ''}" does not begin at its side`);
  }
  return faults.slice(0, 5);
};

/** Amounts that stand on two lines: of their digits, or of an amount and its currency. */
globalThis.brokenAmounts = () =>
  [...document.querySelectorAll('bdi')].flatMap((amount) => {
    const text = amount.textContent ?? '';
    const isAmount = /^[-+]?[\d,]+\.\d+(?:\s.+)?$/u.test(text) && text.replace(/\D/g, '').length <= 10;
    if (!isAmount || amount.parentElement?.closest('bdi')) return [];
    const range = document.createRange();
    range.selectNodeContents(amount);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
    const isBroken = boxes.some((one) => boxes.some((other) => other.top >= one.bottom - 2));
    return isBroken ? [text] : [];
  });

/** What every element is, where it stands and how it is coloured, in words. */
globalThis.elementLooks = () =>
  [...document.body.querySelectorAll('*')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const { color, backgroundColor, borderColor, fontSize, direction, display } = getComputedStyle(element);
    const words = element.children.length === 0 ? element.textContent : '';
    return [
      element.tagName,
      x,
      y,
      width,
      height,
      color,
      backgroundColor,
      borderColor,
      fontSize,
      direction,
      display,
      words,
    ].join(' ');
  });

/** Where the first element of each selector ends, in pixels from the top. */
globalThis.bottomsOf = (selectors) =>
  selectors.map((selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? Infinity);
