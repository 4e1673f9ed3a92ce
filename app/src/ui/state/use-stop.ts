import { useCallback } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "./app-context.tsx";
import { askToStop, keptStops } from "./kept-stops.ts";
import { attempt } from "./thread-actions.ts";

/** A stop that the app has not confirmed: `sending` during the first attempt, `unsent` once an attempt has failed. */
export type UnconfirmedStop = "sending" | "unsent";

/** Stops a turn, for every Stop button. `kept` is present if a stop was requested that the app has not confirmed yet. */
export function useStop({ threadId, turnId }: SentTurn): { readonly kept?: UnconfirmedStop; stop(): void } {
	const kept = useStore(keptStops).find((stop) => stop.turnId === turnId);
	const { announce } = useApp();
	const stop = useCallback(
		() =>
			void attempt(async () => {
				const came = await askToStop({ threadId, turnId });
				if (came !== "late") announce(came === "kept" ? words.run.stopKept : words.run.stopAsked);
			}),
		[threadId, turnId, announce],
	);
	return { stop, ...(kept !== undefined && { kept: kept.hasFailed ? "unsent" : "sending" }) };
}
