import type { Approval, ToolId } from "@xworkmate/contracts";
import type { TypedTool, VersionState } from "../ports/tools/tool-hosts.ts";

/** The state of a version of a tool now. */
export type StateOfVersion = (tool: Pick<TypedTool, "toolId" | "toolHash">) => VersionState;

/**
 * A record as it is shown and answered. While the request of a typed call waits, the user may accept the tool's code, the code may change,
 * or the user may set a rule that denies the tool; in the last two cases, the call could no longer start. What the record says of this is
 * therefore derived from the tool and the rules. Pure.
 */
export function asOfNow(record: Approval, stateOf: StateOfVersion, isForbidden: (toolId: ToolId) => boolean): Approval {
	const { toolId, toolHash, state } = record;
	if (state !== "pending" || toolId === undefined || toolHash === undefined) return record;
	const now = withVersion(record, stateOf({ toolId, toolHash }));
	return now.toolChanged === undefined && isForbidden(toolId) ? { ...now, options: ["deny"], forbidden: true } : now;
}

function withVersion(record: Approval, state: VersionState): Approval {
	const { unaccepted: _then, ...rest } = record;
	switch (state) {
		case "accepted":
			return rest;
		case "unaccepted":
			return { ...rest, unaccepted: true };
		case "gone":
			return { ...record, options: ["deny"], toolChanged: true };
		// As it was recorded. Whether an allowed call can start is checked again before it does.
		case "unread":
			return record;
	}
}
