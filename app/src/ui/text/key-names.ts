import { words } from "../../strings/interface.ts";

const isApple = /^(?:Mac|iP)/.test(navigator.platform);

/** True on a Mac, an iPhone or an iPad, where keys have other names and Cmd takes the place of Ctrl. */
export function isMac(): boolean {
	return isApple;
}

/** One key cap: its sign, and its name for screen readers. */
export interface KeyCap {
	readonly sign: string;
	readonly spoken: string;
}

/** "Mod+Shift+Z" with this platform's key names. A space separates keys that are pressed one after the other. */
export function keyCaps(chord: string, mac: boolean): readonly KeyCap[] {
	return chord.split(/[ +]/).map((key) => {
		const sign = nameIn(mac ? words.keyNames.mac : words.keyNames.other, key);
		return { sign, spoken: mac || sign === "↑" || sign === "↓" ? nameIn(words.keyNames.spoken, key) : sign };
	});
}

function nameIn(names: Readonly<Record<string, string>>, key: string): string {
	return Object.hasOwn(names, key) ? (names[key] ?? key) : key;
}

/** True for a shortcut that is a single letter or symbol. The setting for single keys turns these off. */
export function isSingleKey(chord: string): boolean {
	// `@` is excluded, because it is typed in a message.
	return chord.length === 1 && chord !== "@";
}

/** A shortcut as plain text: "Ctrl+K", or "⌘K" on a Mac. */
export function keysOf(chord: string, mac: boolean = isMac()): string {
	return keyCaps(chord, mac)
		.map(({ sign }) => sign)
		.join(mac ? "" : "+");
}

/** A button's tooltip: what it does, and its shortcut. */
export function withKeys(word: string, chord: string): string {
	return `${word} (${keysOf(chord)})`;
}

/**
 * The letter of a key. On a Mac, Alt turns "y" into "¥", and in a Cyrillic layout that key has "н"; so a letter that is not Latin is
 * identified by the position of its key.
 */
export function letterOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
	const pressed = key.toLowerCase();
	if (/^[a-z]$/.test(pressed)) return pressed;
	return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? pressed;
}

/** True for Ctrl alone, or Cmd on a Mac, where Ctrl with a letter moves the cursor in a field. */
export function isCommand(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey" | "shiftKey">, mac: boolean = isMac()): boolean {
	if (event.altKey || event.shiftKey) return false;
	return mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}
