import { newThreadId, newTurnId } from "../../threads/domain/new-ids.ts";

/** The ids of a message: its turn's id and, for a first message, the new thread's id. */
export interface PressedIds {
	readonly turnId: string;
	readonly begins: string;
}

/**
 * The ids that a message is sent under. Until it has been sent, pressing Send again for the same message in the same place yields
 * the same ids, even after a reload: the answer may have been lost, and the app makes one turn of both presses.
 * @param place where Send was pressed
 * @param message everything that makes it a different message to the user
 */
export async function pressedIds(place: string, message: unknown): Promise<PressedIds> {
	const digest = await sha256(JSON.stringify(message));
	const kept = read(place);
	if (kept?.digest === digest) return kept.ids;
	const ids = { turnId: newTurnId(), begins: newThreadId() };
	try {
		sessionStorage.setItem(keyOf(place), JSON.stringify({ digest, ids }));
	} catch {
		// If the browser cannot store anything, a press after a reload is a new message.
	}
	return ids;
}

/** The message was sent: pressing Send again with the same text creates another message. */
export function forgetPress(place: string): void {
	try {
		sessionStorage.removeItem(keyOf(place));
	} catch {
		// If nothing can be removed, nothing was stored.
	}
}

interface KeptIds {
	readonly digest: string;
	readonly ids: PressedIds;
}

function read(place: string): KeptIds | undefined {
	try {
		const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? "null");
		return isKept(kept) ? kept : undefined;
	} catch {
		// Storage cannot be read, or contains something else.
		return undefined;
	}
}

function isKept(value: unknown): value is KeptIds {
	if (typeof value !== "object" || value === null || !("digest" in value && "ids" in value)) return false;
	const { ids } = value;
	if (typeof ids !== "object" || ids === null || !("turnId" in ids && "begins" in ids)) return false;
	return typeof ids.turnId === "string" && typeof ids.begins === "string";
}

async function sha256(text: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keyOf(place: string): string {
	return `xworkmate.pressed.${place}`;
}
