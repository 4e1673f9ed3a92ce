import { ContractError, isTimeZone, type MethodParams, visibleWithin } from "@xworkmate/contracts";
import { type AskModel, ModelUnavailable } from "../../ports/models/ask-model.ts";
import type { ModelMessage, ModelReply } from "../../ports/models/model-client.ts";
import { type Draft, type DraftScene, draftPlan } from "./draft-plan.ts";
import { PlanForm, planInstructions, READ_PLAN, readPlanTool } from "./plan-form.ts";

const TRIES = 2;
const MAX_OUTPUT_TOKENS = 4_096;
const FIX = "Use the form or the command's flags instead.";

export interface ExtractDeps {
	readonly askModel: AskModel;
	/** The bridge's current channels, contacts and time. */
	readonly scene: () => Promise<Omit<DraftScene, "text" | "newest" | "timezone">>;
}

/**
 * Reads a plan from the user's words, without making it.
 * @throws ContractError EXTRACTION_UNAVAILABLE, SCHEDULE_INVALID for an unknown time zone
 */
export async function extractPlan({ text, timezone }: MethodParams<"xworkmate.plans.extract">, deps: ExtractDeps): Promise<Draft> {
	checkZone(timezone);
	const words = text.toWellFormed();
	const form = await askedForm(words, deps.askModel);
	return draftPlan(form, { ...(await deps.scene()), text: words, timezone });
}

/** @throws ContractError SCHEDULE_INVALID */
function checkZone(timezone: string): void {
	if (isTimeZone(timezone)) return;
	const detail = `${visibleWithin(timezone, 60)} is not a known time zone.`;
	throw new ContractError("SCHEDULE_INVALID", { detail, fix: "Use an IANA name such as Europe/Berlin, or UTC." });
}

/** Has the model fill in the form from the user's text. If the answer is invalid, asks once more. */
async function askedForm(text: string, askModel: AskModel): Promise<PlanForm> {
	const messages: ModelMessage[] = [{ role: "user", text }];
	for (let attempt = 0; attempt < TRIES; attempt++) {
		const reply = await askedReply(messages, askModel);
		const call = reply.parts.find((part) => part.kind === "call" && part.tool === READ_PLAN);
		const parsed = PlanForm.safeParse(call?.kind === "call" && call.unreadable !== true ? call.input : undefined);
		if (parsed.success) return parsed.data;
		if (reply.stop === "refused") throw unavailable("The model declined to read the sentence.");
		// The model's own answer is not sent back, because no server accepts an incomplete call.
		const [issue] = parsed.error.issues;
		const problem = `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim().slice(0, 300);
		messages.splice(0, messages.length, {
			role: "user",
			text: `${text}\n\n[Your last call of ${READ_PLAN} did not match its schema: ${problem}. Call it again.]`,
		});
	}
	throw unavailable("The model's response could not be read.");
}

async function askedReply(messages: readonly ModelMessage[], askModel: AskModel): Promise<ModelReply> {
	try {
		return await askModel({
			instructions: planInstructions,
			messages,
			tools: [readPlanTool],
			mustCall: READ_PLAN,
			maxOutputTokens: MAX_OUTPUT_TOKENS,
		});
	} catch (error) {
		if (error instanceof ModelUnavailable) throw unavailable(error.message, error.fix);
		throw error;
	}
}

function unavailable(detail: string, fix?: string): ContractError {
	return new ContractError("EXTRACTION_UNAVAILABLE", {
		detail: visibleWithin(detail, 500),
		fix: fix === undefined ? FIX : `${fix} You can also use the form or the command's flags instead.`,
	});
}
