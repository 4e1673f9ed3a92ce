import { ThreadId, TurnId } from "@xworkmate/contracts";
import { mintThreadId, mintTurnId } from "../../threads/domain/minted-ids.ts";

/** The ids of a message: its turn's, and that of the thread which it begins where it is the first. */
export interface PressedIds {
	readonly turnId: TurnId;
	readonly begins: ThreadId;
}

/**
 * The ids that a message is sent under. Until it was sent, the same message pressed again in the same place gets the same
 * ones, also after a reload: the answer may have been lost, and the app makes one turn of both presses.
 * @param place where it was pressed
 * @param message everything that the user would call another message when it differs
 */
export async function pressedIds(place: string, message: unknown): Promise<PressedIds> {
	const digest = await sha256(JSON.stringify(message));
	const kept = read(place);
	if (kept?.digest === digest) return kept;
	const ids = { turnId: mintTurnId(), begins: mintThreadId() };
	try {
		sessionStorage.setItem(keyOf(place), JSON.stringify({ digest, ...ids }));
	} catch {
		// A browser may keep nothing: then a press after a reload is a new message.
	}
	return ids;
}

/** The message was sent: pressed once more, the same words are another one. */
export function forgetPress(place: string): void {
	try {
		sessionStorage.removeItem(keyOf(place));
	} catch {
		// Where nothing can be removed, nothing was kept.
	}
}

function read(place: string): (PressedIds & { readonly digest: string }) | undefined {
	try {
		const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? "null");
		if (typeof kept !== "object" || kept === null || !("digest" in kept && "turnId" in kept && "begins" in kept)) return undefined;
		return { digest: String(kept.digest), turnId: TurnId.parse(kept.turnId), begins: ThreadId.parse(kept.begins) };
	} catch {
		// Nothing can be read, or something else was written there.
		return undefined;
	}
}

async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keyOf(place: string): string {
	return `xworkmate.pressed.${place}`;
}
