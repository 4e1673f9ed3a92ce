import { useCallback } from "react";
import type { SentTurn } from "../../core/app-api.ts";
import { askToStop, keptStops } from "../client/kept-stops.ts";
import { useStore } from "../client/store.ts";
import { attempt } from "./thread-acts.ts";

/** Stops a turn, from wherever that is offered. `keptAt`: it was asked for, and the app does not have it yet. */
export function useStop({ threadId, turnId }: SentTurn): { readonly keptAt?: string; stop(): void } {
	const kept = useStore(keptStops).find((stop) => stop.turnId === turnId);
	const stop = useCallback(() => void attempt(() => askToStop({ threadId, turnId })), [threadId, turnId]);
	return { stop, ...(kept !== undefined && { keptAt: kept.at }) };
}
