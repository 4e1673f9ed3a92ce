import { words } from "../../strings/interface.ts";

interface Placeholder {
	readonly isThread: boolean;
	readonly busy: boolean;
	readonly isLive: boolean;
	readonly isScript: boolean;
}

/** The placeholder of an empty message field. */
export function placeholderOf({ isThread, busy, isLive, isScript }: Placeholder): string {
	if (!isLive) return words.composer.placeholderAway;
	if (busy) return words.composer.placeholderBusy;
	if (isScript) return words.composer.placeholderScript;
	return isThread ? words.composer.placeholder : words.composer.placeholderNew;
}
