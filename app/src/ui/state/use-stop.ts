import { useCallback } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "./app-context.tsx";
import { askToStop, keptStops } from "./kept-stops.ts";
import { attempt } from "./thread-actions.ts";

/** Stops a turn, for every Stop button. `keptAt`: when the stop was requested, if the app has not saved it yet. */
export function useStop({ threadId, turnId }: SentTurn): { readonly keptAt?: string; stop(): void } {
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
	return { stop, ...(kept !== undefined && { keptAt: kept.at }) };
}
