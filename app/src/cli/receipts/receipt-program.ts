import {
	limits,
	NotedHash,
	PlanId,
	ReceiptId,
	ReceiptOrigin,
	ReceiptType,
	ReportedToolId,
	RunId,
	ThreadId,
	type Timestamp,
	ToolId,
} from "@xworkmate/contracts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { checked, json, type ProgramContext, perform, wholeNumber } from "../parts/command-parts.ts";
import {
	type ChainFilter,
	exportReceipts,
	listReceipts,
	type ReceiptFilter,
	showActivity,
	showHead,
	showReceipt,
	verifyReceipts,
} from "./receipt-commands.ts";

const runArgument = (id: string) => checked(RunId.safeParse(id), "the id of a run");
const planArgument = (id: string) => checked(PlanId.safeParse(id), "the id of a plan");

/** @throws CommanderError if both are given */
function chainOf(command: Command, runId: RunId | undefined, planId: PlanId | undefined): ChainFilter {
	if (runId !== undefined && planId !== undefined) command.error("error: name a run or a plan, not both");
	return { ...(runId && { runId }), ...(planId && { planId }) };
}

/** `receipts` and `activity`. */
export function addReceipts(program: Command, context: ProgramContext): void {
	const receipts = program
		.command("receipts")
		.description("Show which tools were called and what happened to plans' messages, and check that no receipts were changed");
	receipts
		.command("list", { isDefault: true })
		.description("List receipts, newest first")
		.option("--run <id>", "Only this run", runArgument)
		.option("--plan <id>", "Only this plan's messages", planArgument)
		.option("--thread <id>", "Only this thread", (id: string) => checked(ThreadId.safeParse(id), "the id of a thread"))
		.option("--tool <id>", "Only this tool", (id: string) =>
			checked(z.union([ToolId, ReportedToolId]).safeParse(id), "the id of a tool, such as calendar.events.create"),
		)
		.addOption(new Option("--type <type>", "Only this type").choices(ReceiptType.options))
		.addOption(
			new Option("--origin <origin>", "Only what the bridge executed, or only what an agent reported").choices(ReceiptOrigin.options),
		)
		.option("--since <time>", "Only receipts since this time", pointInTime)
		.option("--until <time>", "Only receipts before this time", pointInTime)
		.option("--limit <count>", "Maximum number of receipts to list", (count: string) => wholeNumber(count, limits.listMax))
		.addOption(json)
		.action(({ json, ...filter }: ReceiptFilter & { json?: boolean }) =>
			perform(context, { ...(json === true && { json }) }, (output) => listReceipts(output, filter)),
		);
	receipts
		.command("show")
		.description("Show a receipt, and all receipts of its call or message")
		.argument("<receipt>", "The receipt's id", (id: string) => checked(ReceiptId.safeParse(id), "the id of a receipt"))
		.addOption(json)
		.action((receiptId: ReceiptId, flags: { json?: boolean }) => perform(context, flags, (output) => showReceipt(output, receiptId)));
	receipts
		.command("verify")
		.description("Check the receipts of a run or a plan, or all receipts, against their chains and the signed ledger")
		.argument("[run]", "The run's id", runArgument)
		.option("--plan <id>", "Only this plan's messages", planArgument)
		.option("--head <hash>", "A hash that you saved earlier, or at least its first 12 digits", (hash: string) =>
			checked(NotedHash.safeParse(hash.replaceAll(/\s/g, "").toLowerCase()), "64 hexadecimal digits, or at least the first 12 of them"),
		)
		.addOption(json)
		.action((runId: RunId | undefined, { head, plan, ...flags }: { head?: NotedHash; plan?: PlanId; json?: boolean }, command: Command) => {
			const of = chainOf(command, runId, plan);
			return perform(context, flags, (output) => verifyReceipts(output, of, head));
		});
	receipts
		.command("export")
		.description("Print the ledger and the receipts of a run, a plan, or everything, to verify them elsewhere")
		.argument("[run]", "The run's id", runArgument)
		.option("--plan <id>", "Only this plan's messages", planArgument)
		.action((runId: RunId | undefined, { plan }: { plan?: PlanId }, command: Command) => {
			const of = chainOf(command, runId, plan);
			return perform(context, {}, (output) => exportReceipts(output, of));
		});
	receipts
		.command("head")
		.description("Print what to save elsewhere: the hash of a run's last receipt, or the ledger's key and last line")
		.argument("[run]", "The run's id", runArgument)
		.addOption(json)
		.action((runId: RunId | undefined, flags: { json?: boolean }) => perform(context, flags, (output) => showHead(output, runId)));
	program
		.command("activity")
		.description("Show what a run did, derived from its receipts")
		.argument("<run>", "The run's id", runArgument)
		.addOption(json)
		.action((runId: RunId, flags: { json?: boolean }) => perform(context, flags, (output) => showActivity(output, runId)));
}

function pointInTime(text: string): Timestamp {
	const time = Date.parse(text);
	if (Number.isNaN(time)) throw new InvalidArgumentError("It must be a time, such as 2026-11-23T10:00Z.");
	return new Date(time).toISOString();
}
