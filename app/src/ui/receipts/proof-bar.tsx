import type { ReceiptProblem, VerificationProgress } from "@xworkmate/contracts";
import { LoaderCircle, type LucideIcon, ShieldAlert, ShieldCheck, ShieldQuestionMark } from "lucide-react";
import { type ReactNode, useState } from "react";
import { count, fill } from "../../strings/interface.ts";
import { chainWords, receiptsPageWords as words } from "../../strings/receipts/receipts-page-words.ts";
import { localTime } from "../../text/local-time.ts";
import { areAllNamed } from "../../text/receipts/problems-named.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { hrefOf } from "../state/route.ts";
import { useClock } from "../state/use-clock.ts";
import { digitsOf } from "../text/digits.ts";
import { formatShort } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import type { Verified } from "./receipt-groups.ts";
import { type Compared, isLedgerRead, savedDigits, stopVerifying, verification, verify } from "./verification.ts";

/** Shows whether the receipts are unchanged: the progress of a check, the last result, and the comparison with a saved hash. */
export function ProofBar({ titleOf }: Titles) {
	const { verified, isRunning, progress, problem } = useStore(verification);
	const [isComparing, setComparing] = useState(false);
	const last = verified !== undefined && <Result verified={verified} titleOf={titleOf} />;
	return (
		<div className="proofs">
			{isRunning && (
				<Proof look="run" icon={LoaderCircle} spin title={words.verifying} end={<StopButton />}>
					<span className="sub">{progress === undefined ? words.verifyingSay : sayProgress(progress)}</span>
				</Proof>
			)}
			{problem !== undefined && (
				<Proof look="bad" icon={ShieldAlert} title={fill(words.verifyFailed, { problem })}>
					{null}
				</Proof>
			)}
			{verified?.compared !== undefined && <Comparison verified={verified} compared={verified.compared} />}
			{last}
			{verified === undefined && !isRunning && (
				<Proof look="" icon={ShieldQuestionMark} title={words.never}>
					{null}
				</Proof>
			)}
			<div className="proof-more">
				<button type="button" className="btn quiet" aria-expanded={isComparing} onClick={() => setComparing(!isComparing)}>
					{words.compare}
				</button>
			</div>
			{isComparing && <CompareForm isRunning={isRunning === true} />}
		</div>
	);
}

interface Titles {
	titleOf(id: string, isPlan: boolean): string;
}

interface ProofProps {
	readonly look: "" | "ok" | "bad" | "run";
	readonly icon: LucideIcon;
	readonly spin?: boolean;
	readonly title: string;
	readonly children: ReactNode;
	readonly end?: ReactNode;
}

function Proof({ look, icon, spin = false, title, children, end }: ProofProps) {
	return (
		// Text that changes several times a second is not announced.
		<div className={`proof ${look}`} {...(look !== "run" && { role: look === "bad" ? "alert" : "status" })}>
			<span className="badge">
				<Icon of={icon} spin={spin} />
			</span>
			<div className="grow spaced">
				<p>
					<b {...(look === "run" && { role: "status" })}>{title}</b> {look !== "bad" && children}
				</p>
				{look === "bad" && children}
			</div>
			{end}
		</div>
	);
}

/** When a check was made, by this page's clock. A result may be days old. */
function CheckedAt({ verified: { checkedAt, tookMs } }: { readonly verified: Verified }) {
	const time = localTime(checkedAt, useClock());
	return <span>{fill(words.checkedAt, { time, span: formatShort(tookMs) })}</span>;
}

function Comparison({ verified, compared }: { readonly verified: Verified; readonly compared: Compared }) {
	const { digits } = compared;
	const [look, icon, title, say] = comparisonLook(compared);
	return (
		<Proof look={look} icon={icon} title={title}>
			<span className="sub">{fill(say, { digits: digitsOf(digits) })}</span>
			<span className="facts">
				<CheckedAt verified={verified} />
			</span>
		</Proof>
	);
}

function comparisonLook({ isFound, isSearched, isIntact }: Compared) {
	if (isFound && isIntact) return ["ok", ShieldCheck, words.matched, words.matchedSay] as const;
	if (isFound) return ["bad", ShieldAlert, words.found, words.foundSay] as const;
	if (!isSearched) return ["", ShieldQuestionMark, words.notSearched, words.notSearchedSay] as const;
	return ["bad", ShieldAlert, words.mismatched, words.mismatchedSay] as const;
}

function StopButton() {
	return (
		<button type="button" className="btn" onClick={stopVerifying}>
			{words.verifyStop}
		</button>
	);
}

/** Receipts that were written since the check began are checked too. */
function sayProgress({ receipts, of }: VerificationProgress): string {
	return fill(words.verifyingSome, { count: receipts, receipts: count(Math.max(receipts, of), "receipt") });
}

function Result({ verified, titleOf }: { readonly verified: Verified } & Titles) {
	const { result, planId } = verified;
	const { ok, runs, plans = 0, receipts, problems, independence } = result;
	const facts = (
		<span className="facts">
			<CheckedAt verified={verified} />
			{(independence === "head_matched" || isLedgerRead(result)) && <span>{words[independence]}</span>}
		</span>
	);
	if (ok && problems.length === 0 && planId !== undefined)
		return (
			<Proof look="ok" icon={ShieldCheck} title={words.intactAll}>
				<span className="sub">{fill(words.intactPlanSay, { receipts: count(receipts, "receipt"), title: titleOf(planId, true) })}</span>
				{facts}
			</Proof>
		);
	if (ok && problems.length === 0)
		return (
			<Proof look="ok" icon={ShieldCheck} title={words.intactAll}>
				<span className="sub">
					{fill(plans === 0 ? words.intactSay : words.intactPlansSay, {
						...{ receipts: count(receipts, "receipt"), runs: count(runs, "run"), plans: count(plans, "plan") },
					})}
				</span>
				{facts}
			</Proof>
		);
	return (
		<Proof
			look="bad"
			icon={ShieldAlert}
			title={
				areAllNamed(problems)
					? sayCount(problems.length, words.problems)
					: fill(words.manyProblems, { count: problems.length.toLocaleString("en") })
			}
		>
			<ul className="list">
				{problems.map((problem) => (
					<ProblemItem key={JSON.stringify(problem)} problem={problem} titleOf={titleOf} />
				))}
			</ul>
			{problems.some(isUnreliable) && <p className="sub">{words.problemsSay}</p>}
			{facts}
		</Proof>
	);
}

/** True if the problem is that a saved hash was not found. Such a problem names neither a run nor a plan. */
function isUnmatched({ code, runId, planId }: ReceiptProblem): boolean {
	return code === "FORGED" && runId === undefined && planId === undefined;
}

/** False for a problem that doesn't mean that any receipts were changed, or that names none. */
function isUnreliable(problem: ReceiptProblem): boolean {
	return problem.code !== "UNSEALED" && problem.code !== "LEDGER_UNREADABLE" && !isUnmatched(problem);
}

function ProblemItem({ problem, titleOf }: { readonly problem: ReceiptProblem } & Titles) {
	const { code, runId, planId, n, message } = problem;
	const { title, meaning } = isUnmatched(problem) ? words.unmatched : chainWords[code];
	const owner = planId === undefined ? words.runOwner : words.planOwner;
	return (
		<li className="item">
			<div>
				<span className="nm">{fill(code === "CUT" && n === 0 ? words.allCut : title, { n: n ?? "?", owner })}</span>
				<div className="sub">
					{runId !== undefined && <span>{titleOf(runId, false)}</span>}
					{planId !== undefined && <span>{titleOf(planId, true)}</span>}
					<span className="wrap">{fill(meaning, { owner })}</span>
					<span className="wrap">{visibleName(message)}</span>
					<span className="code-chip">{code}</span>
				</div>
			</div>
			{(runId !== undefined || planId !== undefined) && (
				<div className="end">
					<a
						className="btn"
						href={hrefOf({ page: "receipts", filter: { ...(runId !== undefined && { runId }), ...(planId !== undefined && { planId }) } })}
					>
						{planId === undefined ? words.goTo : words.goToPlan}
					</a>
				</div>
			)}
		</li>
	);
}

function CompareForm({ isRunning }: { readonly isRunning: boolean }) {
	const [typed, setTyped] = useState("");
	const [isWrong, setWrong] = useState(false);
	return (
		<form
			className="proof-form"
			onSubmit={(event) => {
				event.preventDefault();
				const digits = savedDigits(typed);
				setWrong(digits === undefined);
				if (digits !== undefined) void verify(digits);
			}}
		>
			<p className="soft small">{words.compareSay}</p>
			<label className="field">
				<span className="muted small">
					{words.compareLabel}. {words.compareHint}
				</span>
				<input
					value={typed}
					onChange={(event) => setTyped(event.target.value)}
					maxLength={120}
					spellCheck={false}
					autoComplete="off"
					aria-invalid={isWrong}
					{...(isWrong && { "aria-describedby": "compare-wrong" })}
				/>
			</label>
			{isWrong && (
				<p className="st-bad small" id="compare-wrong" role="alert">
					{words.compareWrong}
				</p>
			)}
			<button type="submit" className="btn" disabled={isRunning}>
				{words.compareDo}
			</button>
		</form>
	);
}
