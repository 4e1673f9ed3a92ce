import type { Approval } from "@xworkmate/contracts";
import type { TypedTool, VersionState } from "../ports/tools/tool-hosts.ts";

/** The state of a version of a tool now. */
export type StateOfVersion = (tool: Pick<TypedTool, "toolId" | "toolHash">) => VersionState;

/**
 * A record as it is shown and answered. While the request of a typed call waits, the user may accept the tool's code, or the code may
 * change, in which case the call could no longer start. What the record says of this is therefore derived from the tool. Pure.
 */
export function asOfNow(record: Approval, stateOf: StateOfVersion): Approval {
	const { toolId, toolHash, state } = record;
	if (state !== "pending" || toolId === undefined || toolHash === undefined) return record;
	const { unaccepted: _then, ...rest } = record;
	switch (stateOf({ toolId, toolHash })) {
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
