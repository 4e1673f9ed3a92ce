import { useEffect } from "react";
import { groupThreads } from "../model/thread-state.ts";
import { useApp } from "./app-context.tsx";
import { openKeySheet } from "./key-sheet.tsx";
import { preferences, setPreferences } from "./preferences.ts";
import { go, route } from "./route.ts";
import { undoLast } from "./toasts.tsx";

/** Asks for something that another part of the page knows how to do. */
function request(what: "files" | "log" | "stop"): void {
	dispatchEvent(new CustomEvent(`xworkmate:${what}`));
}

export function useRequest(what: "files" | "log" | "stop", act: () => void): void {
	useEffect(() => {
		addEventListener(`xworkmate:${what}`, act);
		return () => removeEventListener(`xworkmate:${what}`, act);
	}, [what, act]);
}

const ESC_TWICE_MS = 800;

/** The keyboard map of the whole page. Cmd stands for Ctrl on a Mac; nothing happens while an IME composes. */
export function useKeys(): void {
	const { app } = useApp();
	const { threads, approvals } = app;
	useEffect(() => {
		let escapeAt = 0;
		const onKey = (event: KeyboardEvent) => {
			if (event.isComposing || event.defaultPrevented) return;
			const key = event.key.toLowerCase();
			const inField = event.target instanceof HTMLElement && event.target.matches("input, textarea, select, [contenteditable]");
			const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
			const done = () => event.preventDefault();
			if (command && commands[key] !== undefined) {
				done();
				commands[key]();
			} else if (command && key === "z" && !inField) {
				if (undoLast()) done();
			} else if (event.altKey && event.code === "KeyN" && !event.ctrlKey && !event.metaKey) {
				// In a browser's tab Ctrl N is the browser's own.
				done();
				go({ page: "new" });
			} else if (event.altKey && (key === "arrowup" || key === "arrowdown")) {
				done();
				step(key === "arrowup" ? -1 : 1);
			} else if (event.altKey && key === "y") {
				done();
				nextRequest();
			} else if (key === "/" && !inField && !command && preferences.value.singleKeys) {
				done();
				focusSearch();
			} else if (key === "?" && !inField && !command && !event.altKey && preferences.value.singleKeys) {
				done();
				// Over another question it would be a second thing to close.
				if (document.querySelector(".dialog") === null) openKeySheet();
			} else if (key === "escape") {
				if (event.timeStamp - escapeAt < ESC_TWICE_MS) request("stop");
				escapeAt = event.timeStamp;
			}
		};
		const step = (by: number) => {
			const here = route.value;
			const asked = new Set<string>(approvals.map(({ threadId }) => threadId));
			// In the order that the person sees.
			const groups = groupThreads(threads, asked, Date.now()).filter(({ group }) => group !== "archived");
			const listed = groups.flatMap((group) => group.threads);
			const at = here.page === "thread" ? listed.findIndex(({ thread }) => thread.threadId === here.threadId) : -1;
			const next = listed[at === -1 ? 0 : at + by];
			if (next !== undefined) go({ page: "thread", threadId: next.thread.threadId });
		};
		addEventListener("keydown", onKey);
		return () => removeEventListener("keydown", onKey);
	}, [threads, approvals]);
}

const commands: Readonly<Record<string, () => void>> = {
	n: () => go({ page: "new" }),
	k: focusSearch,
	b: () => setPreferences({ sidebar: !preferences.value.sidebar }),
	j: () => request("files"),
	l: () => request("log"),
	",": () => go({ page: "settings", part: "general" }),
};

function focusSearch(): void {
	setPreferences({ sidebar: true });
	requestAnimationFrame(() => document.querySelector<HTMLInputElement>("#search")?.focus());
}

/** The next open request on this page, else the list of what waits. */
function nextRequest(): void {
	const cards = [...document.querySelectorAll<HTMLElement>("[data-approval]")];
	const at = cards.findIndex((card) => card.contains(document.activeElement));
	const next = cards[(at + 1) % Math.max(1, cards.length)];
	if (next === undefined) go({ page: "now" });
	else next.focus();
}
