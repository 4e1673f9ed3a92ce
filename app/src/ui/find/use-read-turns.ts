import type { TurnId } from "@xworkmate/contracts";
import { useCallback, useSyncExternalStore } from "react";
import type { TurnDetail } from "../../api/ui-api.ts";
import type { ThreadReader } from "../follow/thread-reader.ts";

/** How many turns are read at once for a search, so that the page stays quick in a thread with hundreds of them. */
const AT_ONCE = 4;

interface ReadTurns {
	/** How many of the newest turns have to be on the page, either already read or to be read now. */
	readonly wanted: number;
	/** True once the search can find everything in the thread. */
	readonly isAllRead: boolean;
}

/**
 * While the user searches the thread, its turns are read, newest first and a few at a time, because the search finds only what is on the
 * page.
 */
export function useReadTurns(reader: ThreadReader, turns: readonly TurnDetail[] | undefined, isSearching: boolean): ReadTurns {
	const subscribe = useCallback(
		(changed: () => void) => {
			const stops = isSearching ? (turns ?? []).map(({ turn }) => reader.turn(turn.turnId).turn.subscribe(changed)) : [];
			return () => {
				for (const stop of stops) stop();
			};
		},
		[reader, turns, isSearching],
	);
	const isUnread = ({ turn }: TurnDetail) => isSearching && !isRead(reader, turn.turnId);
	const unread = useSyncExternalStore(subscribe, () => turns?.filter(isUnread).length);
	if (turns === undefined || !isSearching) return { wanted: 0, isAllRead: false };
	const last = turns.filter(isUnread).at(-AT_ONCE);
	return { wanted: last === undefined ? turns.length : turns.length - turns.indexOf(last), isAllRead: unread === 0 };
}

/** True if the turn's stored updates are on the page, or if the turn is gone. */
function isRead(reader: ThreadReader, turnId: TurnId): boolean {
	const { state } = reader.turn(turnId).turn.value;
	return state === "read" || state === "live" || state === "failed";
}
