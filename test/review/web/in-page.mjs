// Runs inside of the page, in the browser: what a test asks of it. Typed in in-page.d.mts.

export function canary() {
  return globalThis.canary;
}

/** Whether a character that cannot be seen stands in the text of the page. */
export function hidesText() {
  return /[\p{Cf}\p{Cc}\u2028]/u.test(document.documentElement.innerText.replaceAll(/[\n\t]/gu, ''));
}

/** What has the focus, and how that is seen. */
export function focused() {
  const element = document.activeElement ?? document.body;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return { text: element.textContent?.trim() ?? '', outline: `${outlineStyle} ${outlineWidth}` };
}

export function openDetails() {
  for (const details of document.querySelectorAll('details')) details.open = true;
}

export function contentWidth() {
  return document.documentElement.scrollWidth;
}

/** Line numbers that stand in two rows, or reach out of their cell. */
export function cutNumbers() {
  return [...document.querySelectorAll('.diff .number')].flatMap((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const isCut = range.getClientRects().length > 1 || cell.scrollWidth > cell.clientWidth;
    return isCut ? [cell.textContent ?? ''] : [];
  });
}

/** Texts whose contrast is below AA, 4.5 to 1. */
export function faintTexts() {
  const channels = (color) => (color.match(/[\d.]+/gu) ?? []).map(Number);
  const light = (color) => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const backgroundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.textContent?.trim() === '') continue;
    const [one, two] = [light(getComputedStyle(element).color), light(backgroundOf(element))];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < 4.5)
      faint.push(`${contrast.toFixed(2)} ${element.className} ${node.textContent?.trim().slice(0, 30)}`);
  }
  return faint;
}

/** What a program that reads it aloud would stumble over. */
export function flaws() {
  const found = [];
  const say = (isWrong, what) => {
    if (isWrong) found.push(what);
  };
  say(document.documentElement.lang !== 'en', 'no language');
  say(document.title === '', 'no title');
  say(document.querySelectorAll('h1').length !== 1, 'not one h1');
  say(document.querySelectorAll('main').length !== 1, 'not one main');
  let level = 1;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
    const own = Number(heading.tagName.slice(1));
    say(own > level + 1, `a jump to ${heading.tagName}`);
    level = own;
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  say(new Set(ids).size !== ids.length, 'an id twice');
  for (const field of document.querySelectorAll('input:not([type=hidden]), textarea'))
    say((field.labels?.length ?? 0) === 0, `no label for ${field.name}`);
  for (const control of document.querySelectorAll('a, button'))
    say(control.textContent?.trim() === '', 'a control without a name');
  for (const table of document.querySelectorAll('table'))
    say(table.caption === null, 'a table without a caption');
  return found;
}
