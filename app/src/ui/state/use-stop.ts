import { useCallback } from "react";
import type { SentTurn } from "../../api/app-api.ts";
import { useStore } from "../connection/store.ts";
import { askToStop, keptStops } from "./kept-stops.ts";
import { attempt } from "./thread-actions.ts";

/** Stops a turn, for every Stop button. `keptAt`: when the stop was requested, if the app has not received it yet. */
export function useStop({ threadId, turnId }: SentTurn): { readonly keptAt?: string; stop(): void } {
	const kept = useStore(keptStops).find((stop) => stop.turnId === turnId);
	const stop = useCallback(() => void attempt(() => askToStop({ threadId, turnId })), [threadId, turnId]);
	return { stop, ...(kept !== undefined && { keptAt: kept.at }) };
}
