import { limits, type MethodResult, methods, PlanId } from "@xworkmate/contracts";
import { z } from "zod";
import { action, type Functions, nothing, query, repeatable, stream } from "./method.ts";
import type { PlanLine, PlansView } from "./plan-view.ts";
import { planLinesRoute } from "./ui-routes.ts";

const listLimit = z.int().min(1).max(limits.listMax).exactOptional();

/** Plans: what is to be done, when, and where the result goes. All ids, revisions and hashes are the bridge's. */
const plans = {
	/** What the app knows about all plans without asking the bridge; for pages. */
	planBook: query(nothing).returns<PlansView>(),
	/** Newest first. */
	listPlans: query(methods["xworkmate.plans.list"].params.extend({ limit: listLimit })).returns<MethodResult<"xworkmate.plans.list">>(),
	plan: query(methods["xworkmate.plans.get"].params).returns<MethodResult<"xworkmate.plans.get">>(),
	/** A plan's occurrences, newest first, or only the one given. */
	planOccurrences: query(methods["xworkmate.plans.occurrences"].params.extend({ limit: listLimit })).returns<
		MethodResult<"xworkmate.plans.occurrences">
	>(),
	/** A plan's log after a seq, in order. */
	planUpdates: query(
		methods["xworkmate.plans.updates"].params.extend({ afterSeq: z.int().min(0).exactOptional(), limit: listLimit }),
	).returns<MethodResult<"xworkmate.plans.updates">>(),
	/** Replays a plan's log after a seq, then follows it until the reader leaves. */
	watchPlan: stream(z.strictObject({ planId: PlanId, afterSeq: z.coerce.number().int().min(0).exactOptional() }), ({ planId, afterSeq }) =>
		planLinesRoute(planId, afterSeq),
	).of<PlanLine>(),
	/** The meaning of a schedule: a description in words, and its next times. */
	planSchedule: query(methods["xworkmate.plans.schedule"].params).returns<MethodResult<"xworkmate.plans.schedule">>(),
	/** Reads a plan from the user's words. Creates nothing. */
	extractPlan: query(methods["xworkmate.plans.extract"].params).returns<MethodResult<"xworkmate.plans.extract">>(),
	createPlan: repeatable(action(methods["xworkmate.plans.create"].params).returns<MethodResult<"xworkmate.plans.create">>()),
	updatePlan: action(methods["xworkmate.plans.update"].params).returns<MethodResult<"xworkmate.plans.update">>(),
	runPlan: repeatable(action(methods["xworkmate.plans.run"].params).returns<MethodResult<"xworkmate.plans.run">>()),
	pausePlan: repeatable(action(methods["xworkmate.plans.pause"].params).returns<MethodResult<"xworkmate.plans.pause">>()),
	resumePlan: repeatable(action(methods["xworkmate.plans.resume"].params).returns<MethodResult<"xworkmate.plans.resume">>()),
	deletePlan: repeatable(action(methods["xworkmate.plans.delete"].params).returns<MethodResult<"xworkmate.plans.delete">>()),
	cancelPlan: action(methods["xworkmate.plans.cancel"].params).returns<MethodResult<"xworkmate.plans.cancel">>(),
	/** The bytes that would be sent. The decision to send them includes their hash. */
	previewMessage: query(methods["xworkmate.plans.preview"].params).returns<MethodResult<"xworkmate.plans.preview">>(),
	/** `applied: false`: the message had already been decided or changed, so no part of this call was applied. */
	reviewMessage: action(methods["xworkmate.plans.review"].params).returns<MethodResult<"xworkmate.plans.review">>(),
	/** `applied: false`: the message had already been settled. */
	settleMessage: action(methods["xworkmate.plans.settle"].params).returns<MethodResult<"xworkmate.plans.settle">>(),
	resendMessages: repeatable(action(methods["xworkmate.plans.resend"].params).returns<MethodResult<"xworkmate.plans.resend">>()),
};

/** Where messages are sent, and to whom. Secrets can be set but are never returned. */
const channels = {
	channels: query(nothing).returns<MethodResult<"xworkmate.channels.list">>(),
	setUpChannel: action(methods["xworkmate.channels.configure"].params).returns<MethodResult<"xworkmate.channels.configure">>(),
	removeChannel: action(methods["xworkmate.channels.remove"].params).returns<MethodResult<"xworkmate.channels.remove">>(),
	/** Sends one real message, except on the dashboard, within 30 seconds. A refusal is part of the result and is not thrown. */
	testChannel: repeatable(action(methods["xworkmate.channels.test"].params).returns<MethodResult<"xworkmate.channels.test">>()),
	contacts: query(nothing).returns<MethodResult<"xworkmate.contacts.list">>(),
	putContact: action(methods["xworkmate.contacts.put"].params).returns<MethodResult<"xworkmate.contacts.put">>(),
	removeContact: action(methods["xworkmate.contacts.remove"].params).returns<MethodResult<"xworkmate.contacts.remove">>(),
	/** Messages of the dashboard channel, newest first. */
	inbox: query(methods["xworkmate.inbox.list"].params.extend({ limit: listLimit })).returns<MethodResult<"xworkmate.inbox.list">>(),
	markInbox: repeatable(action(methods["xworkmate.inbox.mark"].params).returns<MethodResult<"xworkmate.inbox.mark">>()),
};

export const planRows = { ...plans, ...channels };

export type PlanFunctions = Functions<typeof plans>;
export type ChannelFunctions = Functions<typeof channels>;
