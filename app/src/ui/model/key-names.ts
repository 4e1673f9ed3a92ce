const isApple = /^(?:Mac|iPhone|iPad)/.test(navigator.platform);

/** True where Cmd does what Ctrl does elsewhere. */
export function isMac(): boolean {
	return isApple;
}

const apple: Readonly<Record<string, string>> = { Ctrl: "⌘", Alt: "⌥", Shift: "⇧" };

/** Keys as this computer's keyboard names them: "Ctrl+K", or "⌘K" on a Mac. */
export function keysOf(keys: string, mac: boolean = isMac()): string {
	return mac ? keys.replace(/\b(Ctrl|Alt|Shift)[+ ](?=\S)/g, (whole, name: string) => apple[name] ?? whole) : keys;
}

/** A button's hint: what it does, and the keys that do it. */
export function withKeys(word: string, keys: string): string {
	return `${word} (${keysOf(keys)})`;
}

/**
 * The letter that a key stands for: on a Mac Alt turns "y" into "¥", and on a Cyrillic layout it is "н", so that what is no Latin
 * letter is told by the key's place.
 */
export function letterOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
	const pressed = key.toLowerCase();
	if (/^[a-z]$/.test(pressed)) return pressed;
	return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? pressed;
}

/** Ctrl alone, or Cmd on a Mac, where Ctrl with a letter moves the cursor in a field. */
export function isCommand(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey" | "shiftKey">, mac: boolean = isMac()): boolean {
	if (event.altKey || event.shiftKey) return false;
	return mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
}
