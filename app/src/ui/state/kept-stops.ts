import type { SentTurn } from "../../api/app-api.ts";
import { words } from "../../strings/interface.ts";
import { onceHeard } from "../connection/app-heard.ts";
import { APP_GONE, AppRefusal, SIGNED_OUT } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";
import { asSentence } from "../text/sentence.ts";
import { visibleText } from "../text/visible-text.ts";
import { say } from "./toasts.ts";

/** A stop that the user requested and that the app has not confirmed yet. */
export interface KeptStop extends SentTurn {
	/** When the user requested the stop, by this computer's clock. */
	readonly at: string;
	/** True once an attempt to send the stop has failed. */
	readonly hasFailed?: boolean;
	/** Why the app could not save the stop, as a sentence; present if this was the app's answer to the last attempt. */
	readonly unsaved?: string;
	/** True once the app has received the stop without being able to save it. The app then asks the bridge to stop the run. */
	readonly wasReceived?: boolean;
}

const KEY = "xworkmate.stops";
/** The pause between attempts while the app responds but cannot save the stop; `OLD_AGAIN_MS` once every stop is older than `OLD_MS`. */
const AGAIN_MS = 1_000;
const OLD_MS = 5 * 60_000;
const OLD_AGAIN_MS = 30_000;
let again: ReturnType<typeof setTimeout> | undefined;
/** The number of attempts in a row that the app did not answer, and the function that cancels the wait for the next one. */
let unanswered = 0;
let stopWaiting = () => {};

/** Stops that this page still has to send to the app. Each names its turn, so that a late one never stops a later turn. */
export const keptStops = new Store<readonly KeptStop[]>(stored());

/**
 * Asks the app to stop a turn. The request is written to the browser's storage before it is sent, so that it survives the page and a crash
 * of the app. It is removed once the app has saved or refused it, or says that the turn has ended.
 * @returns `kept`: the app has not confirmed the request, so this page will send it again; `late`: the turn had ended
 * @throws AppRefusal if the app refuses the request, or if neither the app nor the browser's storage can save it
 */
export async function askToStop(turn: SentTurn): Promise<"asked" | "late" | "kept"> {
	unanswered = 0;
	stopWaiting();
	const isKept = keep([...stored().filter((stop) => stop.turnId !== turn.turnId), { ...turn, at: new Date().toISOString() }]);
	try {
		return (await tell(turn)) ? "asked" : "late";
	} catch (error) {
		if (!isKept) throw error;
		if (!mayPass(error)) throw error;
		return "kept";
	}
}

let sending: Promise<void> | undefined;

/**
 * Sends the stored stops. Call this when the app responds again. Calls while they are being sent do not send them twice: the second request
 * could arrive after the run's end, and be told that it came too late.
 */
export function sendKeptStops(): Promise<void> {
	sending ??= sendAll().finally(() => {
		sending = undefined;
	});
	return sending;
}

async function sendAll(): Promise<void> {
	for (const stop of stored()) {
		try {
			await tell(stop);
		} catch (error) {
			// The same call may succeed later, so this stop and those after it are kept. After any other error, `tell` has already dropped
			// this one.
			if (mayPass(error)) return;
		}
	}
}

async function tell({ threadId, turnId }: SentTurn): Promise<boolean> {
	const before = stored().find((stop) => stop.turnId === turnId);
	try {
		const { applied } = await callApp("cancelTurn", { threadId, turnId });
		unanswered = 0;
		forget(turnId);
		// The app passes on a stop that it cannot save, so the run may have ended because of it.
		if (!applied && before?.wasReceived !== true) say(words.run.stopTooLate);
		return applied;
	} catch (error) {
		if (!mayPass(error)) forget(turnId);
		else {
			keep(stored().map((stop) => (stop.turnId === turnId ? failed(stop, error) : stop)));
			if (isNotWritten(error)) sendAgain();
			else if (isUnanswered(error)) sendOnceHeard();
		}
		throw error;
	}
}

function failed({ unsaved: _before, ...stop }: KeptStop, error: unknown): KeptStop {
	const unsent = { ...stop, hasFailed: true };
	return isNotWritten(error) ? { ...unsent, wasReceived: true, unsaved: visibleText(asSentence(error.message), "keep").text } : unsent;
}

/** Tries again as long as a stop is kept, because nothing else would tell the page that the app can save it now. */
function sendAgain(): void {
	clearTimeout(again);
	const isOld = stored().every(({ at }) => Date.now() - Date.parse(at) > OLD_MS);
	again = setTimeout(() => void sendKeptStops(), isOld ? OLD_AGAIN_MS : AGAIN_MS);
}

/** Tries again once the app responds to any request. The streams may have stayed open, and then no reconnection triggers an attempt. */
function sendOnceHeard(): void {
	stopWaiting();
	stopWaiting = onceHeard(() => void sendKeptStops(), unanswered++);
}

/** True if the app is unreachable, does not know this page, or cannot write now, so that the same call may succeed later. */
function mayPass(error: unknown): boolean {
	return isNotWritten(error) || isUnanswered(error) || (error instanceof AppRefusal && error.code === SIGNED_OUT);
}

function isUnanswered(error: unknown): boolean {
	return error instanceof AppRefusal && error.code === APP_GONE;
}

function isNotWritten(error: unknown): error is AppRefusal {
	return error instanceof AppRefusal && (error.code === "DISK_FULL" || error.code === "INTERNAL");
}

function forget(turnId: SentTurn["turnId"]): void {
	keep(stored().filter((stop) => stop.turnId !== turnId));
}

/**
 * Writes the stops to the browser's storage; returns whether that worked. Callers start from `stored()`, because another page of the app
 * may have written to the storage.
 */
function keep(stops: readonly KeptStop[]): boolean {
	try {
		if (stops.length === 0) localStorage.removeItem(KEY);
		else localStorage.setItem(KEY, JSON.stringify(stops));
	} catch {
		// If the browser cannot store anything, the page does not promise to repeat the stop.
		keptStops.set(stored());
		return false;
	}
	keptStops.set(stops);
	return true;
}

function stored(): readonly KeptStop[] {
	try {
		const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
		return Array.isArray(read) ? read.filter(isKeptStop) : [];
	} catch {
		// Storage cannot be read, or contains something else.
		return [];
	}
}

function isKeptStop(value: unknown): value is KeptStop {
	return (
		typeof value === "object" && value !== null && ["threadId", "turnId", "at"].every((key) => typeof Reflect.get(value, key) === "string")
	);
}
