import type { Page } from 'playwright-core';

/** Replaces the whole text of the YAML editor, as a user who pastes does. */
export async function replaceInEditor(page: Page, change: (text: string) => string): Promise<void> {
  const content = page.locator('.cm-content');
  await content.waitFor();
  const lines = await page.locator('.cm-line').allInnerTexts();
  const text = lines.map((line) => line.replaceAll('\u200b', '').replace(/\n$/, '')).join('\n');
  await content.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText(change(text));
}
