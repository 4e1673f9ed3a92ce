import { useCallback, useRef } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { isTurnOver } from "../turn/thread-state.ts";
import { useApp } from "./app-context.tsx";
import { askToStop, type KeptStop, keptStops } from "./kept-stops.ts";
import { attempt } from "./thread-actions.ts";

/**
 * A stop that the app has not confirmed: `sending` during the first attempt, `unsent` once an attempt has received no answer, and the
 * reason if the app answered that it could not save the stop.
 */
export type UnconfirmedStop = "sending" | "unsent" | { readonly unsaved: string };

/** What the page says about a stop once an attempt to send it has failed. */
export function sayKept(kept: UnconfirmedStop | undefined): string {
	return typeof kept === "object" ? fill(words.run.stopUnsaved, { message: kept.unsaved }) : words.run.stopKept;
}

function keptOf(stops: readonly KeptStop[], turnId: SentTurn["turnId"]): UnconfirmedStop | undefined {
	const stop = stops.find((one) => one.turnId === turnId);
	if (stop?.unsaved !== undefined) return { unsaved: stop.unsaved };
	return stop && (stop.hasFailed ? "unsent" : "sending");
}

/** Stops a turn, for every Stop button. `kept` is present if a stop was requested that the app has not confirmed yet. */
export function useStop({ threadId, turnId }: SentTurn): { readonly kept?: UnconfirmedStop; stop(): void } {
	const kept = keptOf(useStore(keptStops), turnId);
	const { app, announce } = useApp();
	const summary = app.threads.find((thread) => thread.threadId === threadId);
	const isOver = useRef(false);
	isOver.current = summary !== undefined && isTurnOver(summary, turnId);
	const stop = useCallback(
		() =>
			void attempt(async () => {
				const came = await askToStop({ threadId, turnId });
				// The end has been announced by then, and nothing announced after it may say that the run is yet to be stopped.
				if (came !== "late" && !isOver.current) announce(came === "kept" ? sayKept(keptOf(keptStops.value, turnId)) : words.run.stopAsked);
			}),
		[threadId, turnId, announce],
	);
	return { stop, ...(kept !== undefined && { kept }) };
}
