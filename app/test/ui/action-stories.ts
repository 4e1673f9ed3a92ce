import type { Activity, ActivityItem, Approval, Integration, ListedTool, Receipt, ToolSources } from "@xworkmate/contracts";
import {
	Activity as ActivitySchema,
	Approval as ApprovalSchema,
	Integration as IntegrationSchema,
	Receipt as ReceiptSchema,
	ToolSources as SourcesSchema,
} from "@xworkmate/contracts";
import { approval, at, BEGIN } from "./stories.ts";

/** Two versions of an integration's code. */
export const OLD = "a441".repeat(16);
export const NEW = "e960".repeat(16);
export const INPUT = '{"calendar":"personal","eventId":"7e1b0c9a-dentist","notifyGuests":false}';

/** A request of a typed call, checked by the contract. */
export function typedCall(more: Partial<Record<keyof Approval, unknown>> = {}): Approval {
	return ApprovalSchema.parse({
		...approval(),
		title: "calendar.events.delete",
		toolKind: "delete",
		input: { text: INPUT, truncated: false },
		inputHash: "9f2c41d7e0ab".padEnd(64, "5"),
		options: ["allow_once", "deny"],
		toolId: "calendar.events.delete",
		risk: "destructive",
		toolHash: NEW,
		words: "Delete the event “Dentist” on Thu 26 Nov, 15:00 to 15:45. This can’t be undone.",
		secrets: [],
		toolCallId: "call-1",
		...more,
	});
}

/** What may be allowed for 15 minutes. */
export const windowCall = (more: Partial<Record<keyof Approval, unknown>> = {}) =>
	typedCall({
		toolId: "calendar.events.create",
		risk: "write",
		words: "Create the event “Dentist” on Fri 27 Nov, 9:00 to 9:45.",
		secrets: ["CALDAV_PASSWORD"],
		options: ["allow_once", "allow_window", "deny"],
		windowSeconds: 900,
		grantScope: { kind: "tool", toolId: "calendar.events.create", toolHash: NEW },
		...more,
	});

/** A receipt of the story's run, with made-up hashes: the page never computes one. */
export function receipt(n: number, type: string, more: object = {}): Receipt {
	return ReceiptSchema.parse({
		receiptId: `run1.${n}`,
		runId: "run1",
		n,
		at: new Date(BEGIN + n * 1_000).toISOString(),
		type: type.startsWith("answer") || type.startsWith("auth") ? type : `tool.call.${type}`,
		origin: "executed",
		toolCallId: "call-1",
		toolId: "calendar.events.create",
		risk: "write",
		prevHash: String(n - 1).padStart(64, "0"),
		hash: String(n).padStart(64, "0"),
		...more,
	});
}

/** The four receipts of a call that was allowed and succeeded. */
export function trailOf(call: string, from: number, more: object = {}): readonly Receipt[] {
	const of = { toolCallId: call, ...more };
	return [
		receipt(from, "requested", { ...of, words: "Create “Dentist” on Fri 27 Nov, 9:00 to 9:45", inputHash: "41c0".repeat(16) }),
		receipt(from + 1, "approved", { ...of, decision: { approvalId: "ask1", by: "person", decision: "allow_once" } }),
		receipt(from + 2, "started", of),
		receipt(from + 3, "succeeded", {
			...of,
			outcome: { attempt: 1, durationMs: 38, outputHash: "9ad1".repeat(16), preview: { text: '{"id":"e1"}', truncated: false } },
		}),
	];
}

export function item(call: string, status: ActivityItem["status"], more: object = {}): ActivityItem {
	return {
		toolCallId: call,
		toolId: "calendar.events.create",
		risk: "write",
		origin: "executed",
		status,
		when: at(5),
		words: `Create “${call}”`,
		receiptRef: "run1.4",
		...more,
	} as ActivityItem;
}

/** An activity with these items; its counts are those of the items. */
export function activityOf(items: readonly ActivityItem[], more: Partial<Activity> = {}): Activity {
	const counted = (of: ActivityItem["status"]) => items.filter(({ status }) => status === of).length;
	return ActivitySchema.parse({
		runId: "run1",
		asOf: at(9),
		completed: items.filter(({ origin, risk, status }) => origin === "executed" && risk !== "read" && status === "succeeded").length,
		counts: {
			succeeded: counted("succeeded"),
			failed: counted("failed"),
			denied: counted("denied"),
			pending: counted("pending"),
			unknown: counted("unknown"),
			reported: items.filter(({ origin }) => origin === "reported").length,
		},
		items,
		truncated: false,
		...more,
	});
}

/** One of each state, and a read that the run used. */
export const mixedActivity = activityOf([
	item("call-1", "succeeded", { approval: { required: true, decision: "allow_window", by: "person" } }),
	item("call-2", "denied", {
		risk: "destructive",
		toolId: "calendar.events.delete",
		words: "Delete “Weekly visitors”",
		approval: { required: true, decision: "deny", by: "person" },
		code: "person",
	}),
	item("call-3", "failed", { words: "Add the note “Traffic down 26%”", code: "TOOL_FAILED", message: "PostHog returned 403" }),
	item("call-4", "unknown", { words: "Open the issue “Traffic”", code: "OUTCOME_UNKNOWN" }),
	item("call-5", "succeeded", { risk: "read", toolId: "calendar.events.list", words: "List the events of Fri 27 Nov" }),
]);

export const reportedActivity = activityOf([
	item("tool-1", "succeeded", { origin: "reported", toolId: "codex:execute", words: "gh issue list" }),
	item("tool-2", "failed", { origin: "reported", toolId: "codex:execute", words: "gh issue close 118", message: "Exit code 4" }),
	item("tool-3", "unknown", { origin: "reported", toolId: "codex:execute", words: "gh issue close 97", code: "NOT_REPORTED" }),
]);

export function tool(toolId: string, risk: ListedTool["risk"], more: Partial<ListedTool> = {}): ListedTool {
	return {
		toolId: toolId as ListedTool["toolId"],
		method: toolId.split(".").at(-1) ?? "",
		risk,
		declaration: "(input: {}) => Promise<Result<{}>>",
		idempotent: false,
		codeDecides: false,
		window: risk === "write",
		secrets: [],
		...more,
	};
}

export function integration(name: string, more: object = {}): Integration {
	return IntegrationSchema.parse({
		integration: name,
		state: "active",
		toolHash: OLD,
		accepted: { toolHash: OLD, at: at(0), by: "person" },
		problems: [],
		tools: [tool(`${name}.events.list`, "read"), tool(`${name}.events.create`, "write"), tool(`${name}.events.delete`, "destructive")],
		...more,
	});
}

export const failedIntegration = integration("posthog", {
	state: "failed",
	problems: [
		{ code: "SYNTAX", message: "expected “}”", file: "tools.ts", line: 31, column: 22 },
		{ code: "DUPLICATE_ID", message: "posthog.events.list is also in extra.ts, line 9", file: "tools.ts", line: 4 },
	],
});
export const newIntegration = integration("github", { state: "unaccepted", toolHash: NEW });

const code = (risk: string, more = "") =>
	`import { defineTool } from "@xworkmate/tool";\n\nexport const deleteBranch = defineTool({\n  id: "github.branches.delete", risk: "${risk}",\n${more}});\n`;

export function sources(more: object = {}): ToolSources {
	return SourcesSchema.parse({
		integration: "github",
		toolHash: NEW,
		files: [
			{
				path: "tools.ts",
				text: code(
					"destructive",
					'  secrets: ["GITHUB_TOKEN"],\n  handler: (input, ctx) => client(ctx).comment(input, { aVeryLongOption: true, another: false }),\n',
				),
			},
			{ path: "client.ts", text: "const timeoutMs = 30_000;\n" },
		],
		tools: [
			tool("github.branches.delete", "destructive", { secrets: ["GITHUB_TOKEN"] }),
			tool("github.issues.comment", "write", { policy: "ask" }),
		],
		accepted: {
			toolHash: OLD,
			files: [
				{ path: "tools.ts", text: code("write") },
				{ path: "client.ts", text: "const timeoutMs = 10_000;\n" },
			],
			tools: [tool("github.branches.delete", "write")],
		},
		...more,
	});
}
