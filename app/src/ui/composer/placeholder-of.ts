import { words } from "../../strings/interface.ts";

interface Placeholder {
	readonly isThread: boolean;
	readonly busy: boolean;
	/** True if messages that are queued here wait for the user. */
	readonly isPaused: boolean;
	readonly isLive: boolean;
	readonly isScript: boolean;
}

/** The placeholder of an empty message field. */
export function placeholderOf({ isThread, busy, isPaused, isLive, isScript }: Placeholder): string {
	if (!isLive) return words.composer.placeholderAway;
	if (busy) return isPaused ? words.composer.placeholderHeld : words.composer.placeholderBusy;
	if (isScript) return words.composer.placeholderScript;
	return isThread ? words.composer.placeholder : words.composer.placeholderNew;
}
