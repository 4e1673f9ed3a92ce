import { type KeyboardEvent, useEffect, useRef } from "react";
import type { ThreadDetail } from "../../api/ui-api.ts";
import { callApp } from "../connection/call-app.ts";

/** In an empty field, Up recalls earlier prompts, newest first, beginning with this thread's. Down goes back. */
export function useHistory(
	thread: ThreadDetail | undefined,
	prompt: string,
	setPrompt: (prompt: string) => void,
): (event: KeyboardEvent) => void {
	const at = useRef(-1);
	const elsewhere = useRef<readonly string[]>([]);
	useEffect(() => {
		if (prompt === "") at.current = -1;
	}, [prompt]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the history grows with each new turn
	useEffect(() => {
		let stale = false;
		// If this call fails, the thread's own prompts are still available.
		callApp("recentPrompts", {}).then(
			(prompts) => {
				if (!stale) elsewhere.current = prompts;
			},
			() => undefined,
		);
		return () => {
			stale = true;
		};
	}, [thread?.turns.length]);
	return (event) => {
		// With a modifier, the key is a shortcut of the page, such as the one for the previous thread.
		if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
		const own = (thread?.turns ?? []).map(({ request }) => request.prompt).reverse();
		const prompts = [...new Set([...own, ...elsewhere.current])];
		const isShown = at.current >= 0 && prompts[at.current] === prompt;
		if (prompt !== "" && !isShown) return;
		if (event.key === "ArrowUp" && at.current + 1 < prompts.length) at.current += 1;
		else if (event.key === "ArrowDown" && at.current >= 0) at.current -= 1;
		else return;
		event.preventDefault();
		setPrompt(prompts[at.current] ?? "");
	};
}
