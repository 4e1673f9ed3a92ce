import { defineTool, ToolFailed } from "@xworkmate/tool";
import { z } from "zod";
import { type Alert, PostHogClient } from "./client.ts";

const secrets = ["posthog.key"];

const projectId = z.string().regex(/^\d{1,12}$/);
const website = z
	.string()
	.regex(/^[A-Za-z0-9.-]{1,253}(?::\d{1,5})?$/)
	.describe("The host, as in www.example.org");
const time = z.iso.datetime({ offset: true });
const threshold = z.number().min(0).max(1e12);
const every = z.enum(["hourly", "daily", "weekly", "monthly"]);
const name = z.string().min(1).max(200);

/** A quotation mark inside is escaped, so that a name cannot pass for the rest of the sentence. */
const quoted = (text: string) => JSON.stringify(text);

const Job = z.strictObject({
	alertId: z.string(),
	name: z.string(),
	threshold: z.number().optional(),
	every: z.string(),
	isEnabled: z.boolean(),
	state: z.string(),
});

export const checkVisitors = defineTool({
	id: "posthog.analytics.getVisitors",
	risk: "read",
	keyRead: true,
	secrets,
	input: z.strictObject({ projectId, website, from: time, to: time }),
	output: z.strictObject({ visitors: z.int() }),
	policy: { default: "allow" },
	describe: (input) => `Count the visitors of ${input.website} from ${input.from} to ${input.to}`,
	handler: async (input, ctx) => {
		const [from, to] = [new Date(input.from), new Date(input.to)];
		if (to <= from) throw new ToolFailed("The end of the time must be after its start.");
		return { visitors: await new PostHogClient(ctx, input.projectId).visitors(input.website, from, to) };
	},
});

export const listThresholdMonitors = defineTool({
	id: "posthog.monitor.listThresholdJobs",
	risk: "read",
	keyRead: true,
	secrets,
	input: z.strictObject({ projectId }),
	output: z.strictObject({ jobs: z.array(Job) }),
	policy: { default: "allow" },
	describe: (input) => `List the alerts of project ${input.projectId}`,
	handler: async (input, ctx) => ({ jobs: (await new PostHogClient(ctx, input.projectId).alerts()).map(jobOf) }),
});

export const createThresholdMonitor = defineTool({
	id: "posthog.monitor.createThresholdJob",
	risk: "write",
	// PostHog has no idempotency keys: a second attempt would create a second chart and alert, so there is none.
	idempotent: false,
	secrets,
	input: z.strictObject({ projectId, website, threshold, every, name }),
	output: z.strictObject({ alertId: z.string() }),
	policy: { default: "ask" },
	describe: (input) =>
		`Create the alert ${quoted(input.name)} in project ${input.projectId}: tell me when ${input.website} has more than ${input.threshold} visitors, checked ${input.every}`,
	handler: async ({ projectId: project, ...monitor }, ctx) => {
		const alert = await new PostHogClient(ctx, project).createMonitor(monitor);
		return { alertId: alert.id };
	},
});

export const deleteThresholdMonitor = defineTool({
	id: "posthog.monitor.deleteThresholdJob",
	risk: "destructive",
	// A second attempt that finds no alert has nothing to do.
	idempotent: true,
	secrets,
	input: z.strictObject({
		projectId,
		alertId: z.uuid(),
		name: name.describe("As it is listed; nothing is deleted if the alert has another name"),
	}),
	output: z.strictObject({ alertId: z.string(), deleted: z.literal(true) }),
	policy: { default: "ask" },
	describe: (input) => `Delete the alert ${quoted(input.name)} of project ${input.projectId}; its chart stays`,
	handler: async (input, ctx) => {
		const client = new PostHogClient(ctx, input.projectId);
		const alert = await client.alert(input.alertId);
		if (alert === undefined && ctx.attempt === 1) throw new ToolFailed("There is no alert with this id.");
		if (alert !== undefined && alert.name !== input.name)
			throw new ToolFailed("The alert with this id has another name, so it was not deleted. List the alerts again.");
		if (alert !== undefined && !(await client.deleteAlert(input.alertId)) && ctx.attempt === 1)
			throw new ToolFailed("The alert was deleted by someone else at this moment.");
		return { alertId: input.alertId, deleted: true as const };
	},
});

function jobOf(alert: Alert): z.infer<typeof Job> {
	const limit = alert.threshold.configuration.bounds?.upper ?? undefined;
	return {
		alertId: alert.id,
		name: alert.name,
		...(limit === undefined ? {} : { threshold: limit }),
		every: alert.calculation_interval ?? "daily",
		isEnabled: alert.enabled,
		state: alert.state,
	};
}
