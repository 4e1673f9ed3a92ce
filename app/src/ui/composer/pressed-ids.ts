import { newThreadId, newTurnId } from "../../threads/domain/new-ids.ts";

/** The ids of a message: its turn's id and, for a first message, the new thread's id. */
export interface PressedIds {
	readonly turnId: string;
	readonly begins: string;
}

/**
 * The ids to send a message under. Until the message has been sent, pressing Send again for the same message in the same place yields the
 * same ids, even after a reload: the answer may have been lost, and the same ids let the app create only one turn.
 * @param place where Send was pressed
 * @param message everything that distinguishes this message from another one for the user
 */
export function pressedIds(place: string, message: { readonly prompt: string }): PressedIds {
	const text = JSON.stringify(message);
	const kept = pressed.get(place) ?? read(place);
	const ids = kept?.text === text ? kept.ids : { turnId: newTurnId(), begins: newThreadId() };
	keep(place, { text, prompt: message.prompt, ids });
	return ids;
}

/** The message that was sent from a place and has been neither confirmed nor refused by the app. */
export function openPress(place: string): Pick<Press, "text" | "prompt" | "ids"> | undefined {
	const press = pressed.get(place) ?? read(place);
	return press?.isRefused ? undefined : press;
}

/** True if pressing Send with this message yields the ids of the given press. */
export function isOfPress({ text }: Pick<Press, "text">, message: object): boolean {
	return text === JSON.stringify(message);
}

/** Call this when the app has refused the message. */
export function refusePress(place: string): void {
	const press = pressed.get(place);
	if (press !== undefined) keep(place, { ...press, isRefused: true });
}

function keep(place: string, press: Press): void {
	pressed.set(place, press);
	try {
		sessionStorage.setItem(keyOf(place), JSON.stringify(press));
	} catch {
		// The press does not fit into the browser's storage, or the browser stores nothing. If an earlier press is still stored, its ids apply
		// only to its own text.
	}
}

/** Call this when the message has been sent: pressing Send again with the same text then creates another message. */
export function forgetPress(place: string): void {
	pressed.delete(place);
	try {
		sessionStorage.removeItem(keyOf(place));
	} catch {
		// If the removal fails, nothing was stored.
	}
}

interface Press {
	readonly text: string;
	readonly prompt?: string;
	readonly ids: PressedIds;
	readonly isRefused?: boolean;
}

const pressed = new Map<string, Press>();

function read(place: string): Press | undefined {
	try {
		const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? "null");
		return isPress(kept) ? kept : undefined;
	} catch {
		// Storage cannot be read, or contains something else.
		return undefined;
	}
}

function isPress(value: unknown): value is Press {
	if (typeof value !== "object" || value === null || !("text" in value && "ids" in value)) return false;
	const { ids } = value;
	if (typeof ids !== "object" || ids === null || !("turnId" in ids && "begins" in ids)) return false;
	return typeof ids.turnId === "string" && typeof ids.begins === "string";
}

function keyOf(place: string): string {
	return `xworkmate.pressed.${place}`;
}
