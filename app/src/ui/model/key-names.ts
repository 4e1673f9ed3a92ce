import { words } from "../words/interface.ts";

/** One key cap, with the name that is read out where the sign alone says little. */
export interface KeyCap {
	readonly sign: string;
	readonly spoken: string;
}

/** "Mod+Shift+Z" as this platform names its keys. A space separates keys that are pressed one after the other. */
export function keyCaps(chord: string, mac: boolean): readonly KeyCap[] {
	return chord.split(/[ +]/).map((key) => {
		const sign = nameIn(mac ? words.keyNames.mac : words.keyNames.other, key);
		return { sign, spoken: mac || sign === "↑" || sign === "↓" ? nameIn(words.keyNames.spoken, key) : sign };
	});
}

function nameIn(names: Readonly<Record<string, string>>, key: string): string {
	return Object.hasOwn(names, key) ? (names[key] ?? key) : key;
}

/** True for a chord that is one letter or sign: the setting for single keys turns it off. */
export function isSingleKey(chord: string): boolean {
	return chord.length === 1;
}
