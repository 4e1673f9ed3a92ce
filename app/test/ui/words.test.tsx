import {
	ApprovalDecision,
	ArtifactMissingCode,
	ArtifactSyncStatus,
	AuthProfileState,
	AuthProfileType,
	CancelledCode,
	CoolingReason,
	DenyReason,
	EditHindrance,
	EditOutside,
	EditStatus,
	ErrorCode,
	FailedCode,
	IntegrationState,
	InterruptedCode,
	ModelProvider,
	OperatorFindingCode,
	OperatorState,
	PolicyDecision,
	ProgressStage,
	ReceiptProblemCode,
	ReceiptType,
	RejectionReason,
	Risk,
	ToolCallState,
	ToolErrorCode,
	ToolKind,
	ToolProblemCode,
} from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { accountStateWords, accountTypeWords, coolingWords, makerWords } from "../../src/strings/agents/account-words.ts";
import { callEndWords, denyWords, receiptWords, riskWords } from "../../src/strings/calls/call-words.ts";
import { integrationWords, ruleWords, toolProblemWords } from "../../src/strings/calls/tools-page-words.ts";
import { actionWords, refusalWords, runWords, wordsOf } from "../../src/strings/codes.ts";
import { editHindranceWords, editOutsideWords, editStatusWords } from "../../src/strings/files/changes-words.ts";
import { fill, words } from "../../src/strings/interface.ts";
import { shortcutWords } from "../../src/strings/page/key-words.ts";
import { chainWords } from "../../src/strings/receipts/receipts-page-words.ts";
import { rejectionWords, stageWords, syncWords, toolStateWords, toolWords } from "../../src/strings/runs/states.ts";
import { operatorFindingWords, operatorStateWords } from "../../src/strings/settings/operator-words.ts";
import { settingsPageWords } from "../../src/strings/settings/settings-page-words.ts";

const named = FailedCode.options.flatMap((option) => (option instanceof z.ZodEnum ? option.options : []));
const runCodes = [...named, ...ArtifactMissingCode.options, ...CancelledCode.options, ...InterruptedCode.options];
/** Codes of the app itself (docs/protocol.md#the-app), which contracts only describe by their form. */
const appCodes = [
	"ACP_HTTP_401",
	"ACP_HTTP_CONNECT_FAILED",
	"ACP_HTTP_CONNECTION_CLOSED",
	"OPENCLAW_GATEWAY_QUEUE_FULL",
	"OPENCLAW_AGENT_ERROR",
	"OPENCLAW_NOT_CONFIGURED",
];

const places = ["{provider}", "{reason}", "{message}", "{missing}", "{resent}"];

describe("the words", () => {
	it.each<[string, readonly string[], object]>([
		["end of a run", [...runCodes, ...appCodes], runWords],
		["refusal", ErrorCode.options, refusalWords],
		["stage", ProgressStage.options, stageWords],
		["reason why a file does not count", RejectionReason.options, rejectionWords],
		["kind of tool", ToolKind.options, toolWords],
		["state of a tool call", ToolCallState.options, toolStateWords],
		["sync status", ArtifactSyncStatus.options, syncWords],
		["risk", Risk.options, riskWords],
		["reason of a denial", DenyReason.options, denyWords],
		["end of a call", ToolErrorCode.options, callEndWords],
		["type of a receipt", ReceiptType.options, receiptWords],
		["problem of a chain", ReceiptProblemCode.options, chainWords],
		["state of an integration", IntegrationState.options, integrationWords],
		["problem of an integration", ToolProblemCode.options, toolProblemWords],
		["what happened to a file", EditStatus.options, editStatusWords],
		["why a file is only named", EditHindrance.options, editHindranceWords],
		["why a file is not discarded", EditOutside.options, editOutsideWords],
		["rule", PolicyDecision.options, ruleWords],
		["maker of models", ModelProvider.options, makerWords],
		["type of an account", AuthProfileType.options, accountTypeWords],
		["state of an account", AuthProfileState.options, accountStateWords],
		["reason why an account is left alone", CoolingReason.options, coolingWords],
		["state of an operator", OperatorState.options, operatorStateWords],
		["finding about an operator", OperatorFindingCode.options, operatorFindingWords],
	])("say every %s of the contract, and nothing that is not in it", (_, codes, said) => {
		expect(Object.keys(said).sort()).toEqual([...codes].sort());
	});

	it("give every bad end something to do, by a name that is known", () => {
		for (const { actions, title, meaning } of [...Object.values(runWords), ...Object.values(refusalWords)]) {
			expect(actions.length).toBeGreaterThan(0);
			for (const action of actions) expect(actionWords[action]).toMatch(/\w/);
			for (const place of `${title} ${meaning}`.match(/\{\w+\}/g) ?? []) expect(places).toContain(place);
		}
	});

	it("know a decision each", () => {
		expect(ApprovalDecision.options).toEqual(["allow_once", "allow_window", "deny"]);
		expect([words.ask.once_done, words.ask.window_done, words.ask.deny_done]).not.toContain("");
	});

	it("do not leave a code of OpenClaw or of the transport without words", () => {
		expect(wordsOf("OPENCLAW_SOMETHING_NEW")).toMatchObject({ tone: "bad", title: "OpenClaw reported an error" });
		expect(wordsOf("ACP_HTTP_502")).toMatchObject({ tone: "unk" });
		expect(wordsOf("constructor").title).toBe("Something went wrong");
	});

	it("say of a gateway what is known, and no cause of their own", () => {
		// Also the code of a run that OpenClaw has completed, if its files could not be fetched.
		expect(`${runWords.GATEWAY_LOST.title} ${runWords.GATEWAY_LOST.meaning}`).not.toMatch(/lost contact|whether the run finished/);
		for (const code of ["GATEWAY_LOST", "GATEWAY_UNAVAILABLE"] as const) {
			const { title, meaning } = code === "GATEWAY_LOST" ? runWords[code] : refusalWords[code];
			expect(meaning).toMatch(/^\{message\} /);
			expect(`${title} ${meaning}`).not.toMatch(/restarted|be reached|respond/);
		}
	});

	it("fill places once, and leave a value's own braces alone", () => {
		expect(fill("{a} and {b} and {c}", { a: "{b}", b: 2 })).toBe("{b} and 2 and {c}");
	});
});

it("[D12] a page that is signed out, or has lost its app, names commands that can be typed in the checkout", () => {
	expect(words.bridge.signIn).toContain("`npm run -s xworkmate -- open`");
	expect(words.bridge.appHint).toMatch(/npm start$/);
});

it("Settings > Shortcuts names every single-key shortcut, and says which of them need the focus", () => {
	const single = new Set(shortcutWords.flatMap(({ chords }) => chords.filter((chord: string) => /^[A-Z/?]$/.test(chord))));
	const named = settingsPageWords.singleKeysSay.match(/\b[A-Z]\b|[/?]/g) ?? [];
	expect(new Set(named)).toEqual(single);
	const [anywhere = "", focused = ""] = settingsPageWords.singleKeysSay.split("A, W, D and I");
	expect([anywhere.includes("F works in a thread"), focused.startsWith(" work on a focused")]).toEqual([true, true]);
});
