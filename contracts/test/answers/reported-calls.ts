import {
	type Activity,
	type ActivityItem,
	ActivityStatus,
	checkAgentClaims,
	type FoundFile,
	ReportedToolId,
	type RunEvidence,
	RunId,
	ToolId,
} from "../../src/index.ts";

export function activityWith(...calls: readonly (Partial<ActivityItem> & { readonly status: ActivityStatus })[]): Activity {
	const items = calls.map(
		(call, index) =>
			({
				toolCallId: `call-${index + 1}`,
				toolId: ToolId.parse("calendar.events.create"),
				risk: "write",
				origin: "executed",
				when: "2026-11-23T10:00:00.000Z",
				words: "Create the event",
				receiptRef: `run-1.${index + 4}`,
				...call,
			}) as ActivityItem,
	);
	const counted = (status: ActivityStatus) => items.filter((item) => item.origin === "executed" && item.status === status).length;
	const counts = {
		...{ succeeded: counted("succeeded"), failed: counted("failed"), denied: counted("denied") },
		...{ pending: counted("pending"), unknown: counted("unknown") },
		reported: items.filter(({ origin }) => origin === "reported").length,
	};
	const completed = items.filter(({ origin, risk, status }) => origin === "executed" && risk !== "read" && status === "succeeded").length;
	return { runId: RunId.parse("run-1"), completed, counts, items, truncated: false };
}

export const reported = { origin: "reported", toolId: ReportedToolId.parse("codex:execute"), risk: "destructive" } as const;
export const edit = { origin: "reported", toolId: ReportedToolId.parse("codex:edit"), risk: "write" } as const;
export const remove = { origin: "reported", toolId: ReportedToolId.parse("codex:delete"), risk: "destructive" } as const;

export function byAgent(
	text: string,
	activity: Activity | undefined,
	{
		delivered = [],
		found = {},
		permission,
	}: {
		readonly delivered?: readonly string[];
		readonly found?: Readonly<Record<string, FoundFile>>;
		readonly permission?: RunEvidence["permission"];
	} = {},
) {
	return checkAgentClaims(text, {
		activity,
		delivered: { paths: delivered, count: delivered.length },
		found: new Map(Object.entries(found)),
		permission,
	});
}

export const notDone = ActivityStatus.options.filter((status) => status !== "succeeded");
