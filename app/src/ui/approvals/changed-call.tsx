import { createContext, useContext } from "react";
import { words } from "../../strings/interface.ts";
import { FoldedCode } from "../rich-text/folded-code.tsx";
import { changesSince } from "../turn/seen-call.ts";
import type { TurnItem } from "../turn/turn-view.ts";

/** By the id of an open request: what its agent now reports about the call. Only requests whose call has changed are in it. */
type ChangedCalls = ReadonlyMap<string, readonly string[]>;

const none: ChangedCalls = new Map();

/** The open requests of a turn whose calls have changed. A context, because a request's item stays the same when its call changes. */
export const ChangedCallsContext = createContext<ChangedCalls>(none);

/** The open requests among these items whose calls have changed since. The same empty map if there are none. */
export function changedCalls(items: readonly TurnItem[]): ChangedCalls {
	const changed = items.flatMap((item) => {
		if (item.kind !== "tool" || item.call.openRequests === undefined) return [];
		const changes = changesSince(item.call);
		return changes.length === 0 ? [] : item.call.openRequests.map((approvalId) => [approvalId, changes] as const);
	});
	return changed.length === 0 ? none : new Map(changed);
}

interface ChangedCallProps {
	readonly approvalId: string;
}

/** Says above the answers of an open request in its thread that its agent has changed the call since, and to what. */
export function ChangedCall({ approvalId }: ChangedCallProps) {
	const changes = useContext(ChangedCallsContext).get(approvalId);
	if (changes === undefined) return null;
	return (
		<div className="body" role="alert">
			<p className="st st-need wrap">{words.thread.changedCall}</p>
			{changes.map((text) => (
				<FoldedCode key={text} text={text} label={words.ask.raw} />
			))}
		</div>
	);
}
