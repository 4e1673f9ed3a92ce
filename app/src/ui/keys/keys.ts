import { useEffect } from "react";
import { useApp } from "../state/app-context.tsx";
import { focusComposer, openToWrite } from "../state/composer-focus.ts";
import { preferences, setPreferences } from "../state/preferences.ts";
import { go, route } from "../state/route.ts";
import { focusSearch } from "../state/search-text.ts";
import { undoLast } from "../state/toasts.ts";
import { isCommand, isMac, letterOf } from "../text/key-names.ts";
import { groupThreads } from "../turn/thread-state.ts";
import { openKeySheet } from "./open-key-sheet.ts";
import { togglePalette } from "./open-palette.ts";

type Requested = "files" | "log" | "stop" | "find" | "close";

/** Requests an action from the part of the page that implements it. Returns true if that part performed it. */
export function request(what: Requested): boolean {
	return !dispatchEvent(new CustomEvent(`xworkmate:${what}`, { cancelable: true }));
}

/** `act` must return false if there was nothing to do. */
export function useRequest(what: Requested, act: () => unknown): void {
	useEffect(() => {
		const onRequest = (event: Event) => {
			if (act() !== false) event.preventDefault();
		};
		addEventListener(`xworkmate:${what}`, onRequest);
		return () => removeEventListener(`xworkmate:${what}`, onRequest);
	}, [what, act]);
}

const ESC_TWICE_MS = 800;

/** The keyboard shortcuts of the whole page. They are disabled while an input method composes text. */
export function useKeys(): void {
	const { app } = useApp();
	const { threads, approvals } = app;
	useEffect(() => {
		let escapeAt = 0;
		const onKey = (event: KeyboardEvent) => {
			if (event.isComposing || event.defaultPrevented) return;
			const act = actOf(event);
			if (act === undefined) return;
			if (act() !== false) event.preventDefault();
		};
		const actOf = (event: KeyboardEvent): (() => unknown) | undefined => {
			const letter = letterOf(event);
			const inField = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]");
			if (isCommand(event)) return letter === "z" && !inField ? undoLast : commands[letter];
			// On a Mac, Alt+C types "ç" in a field, so it is not a shortcut there.
			if (event.altKey && isMac() && inField && letter === "c") return undefined;
			if (event.altKey && !event.ctrlKey && !event.metaKey) return byAlt[letter];
			if (event.key === "Escape") return () => onEscape(event.timeStamp);
			const isSingle = !inField && !event.ctrlKey && !event.metaKey && preferences.value.singleKeys;
			return isSingle ? single[letter] : undefined;
		};
		// Stopping a run takes two presses of Esc. A press that closes something does not count.
		const onEscape = (at: number) => {
			// An enlarged file is shown in a native dialog, which handles Esc itself.
			const isOverPage =
				document.querySelector(".frame [role=menu], .frame [role=dialog], .frame [role=alertdialog], dialog[open]") !== null;
			if (isOverPage) return false;
			if (request("close")) {
				escapeAt = 0;
				return true;
			}
			if (at - escapeAt < ESC_TWICE_MS) request("stop");
			escapeAt = at;
			return false;
		};
		const step = (by: number) => {
			const here = route.value;
			const asked = new Set<string>(approvals.map(({ threadId }) => threadId));
			// The threads in the order in which the list shows them.
			const groups = groupThreads(threads, asked, Date.now(), true).filter(({ group }) => group !== "archived");
			const listed = groups.flatMap((group) => group.threads);
			const at = here.page === "thread" ? listed.findIndex(({ thread }) => thread.threadId === here.threadId) : -1;
			const next = listed[at === -1 ? 0 : at + by];
			if (next !== undefined) openToWrite(next.thread.threadId);
		};
		const byAlt: Readonly<Record<string, () => unknown>> = {
			// In a browser tab, Ctrl+N is reserved by the browser.
			n: () => go({ page: "new" }),
			p: () => go({ page: "new-plan" }),
			c: write,
			y: nextRequest,
			arrowup: () => step(-1),
			arrowdown: () => step(1),
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [threads, approvals]);
}

const commands: Readonly<Record<string, () => unknown>> = {
	n: () => go({ page: "new" }),
	k: togglePalette,
	b: () => setPreferences({ sidebar: !preferences.value.sidebar }),
	j: () => void request("files"),
	l: () => void request("log"),
	",": () => go({ page: "settings", part: "general" }),
};

const single: Readonly<Record<string, () => unknown>> = { "/": () => focusSearch(), "?": helpWithKeys, c: write, f: () => request("find") };

/** Opens the sheet of shortcuts, but not over another dialog, because the user would then have to close both. */
function helpWithKeys(): void {
	if (document.querySelector(".dialog, dialog[open]") === null) openKeySheet();
}

/** Moves to the message field of this page or of a new thread. */
function write(): void {
	if (!focusComposer()) go({ page: "new" });
}

/** Moves to the next open request on this page; if there is none, to the list of waiting requests. */
export function nextRequest(): void {
	const cards = [...document.querySelectorAll<HTMLElement>("[data-approval]")];
	const at = cards.findIndex((card) => card.contains(document.activeElement));
	const next = cards[(at + 1) % Math.max(1, cards.length)];
	if (next === undefined) go({ page: "home" });
	else next.focus();
}
