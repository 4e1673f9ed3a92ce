import type { RunEvidence } from "@xworkmate/contracts";

/**
 * The evidence of work in two runs: `before`, which did it, and `after`, which was only asked to write its message again. A message has the
 * files of the first. Both runs are in one conversation of the agent, so no two of their calls have the same id, unless the conversation
 * was lost in between: then an id that both have stands for the call of the first. Pure.
 */
export function joinedEvidence(before: RunEvidence, after: RunEvidence): RunEvidence {
	const permissions = [before.permission, after.permission];
	return {
		activity: { items: [before, after].flatMap(({ activity }) => activity?.items ?? []) },
		delivered: {
			paths: [...before.delivered.paths, ...after.delivered.paths],
			count: before.delivered.count + after.delivered.count,
		},
		attached: before.attached ?? before.delivered,
		// A file that the first run changed was not changed by the second.
		found: new Map([...(before.found ?? []), ...[...(after.found ?? [])].filter(([name]) => before.found?.get(name) !== "changed")]),
		seen: [...(before.seen ?? []), ...(after.seen ?? [])],
		deleted: [...(before.deleted ?? []), ...(after.deleted ?? [])],
		permission: permissions.find((one) => one === "given") ?? permissions.find((one) => one !== undefined),
		places: (toolCallId) => before.places?.(toolCallId) ?? after.places?.(toolCallId),
	};
}
