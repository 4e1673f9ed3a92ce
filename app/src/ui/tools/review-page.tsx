import type { Integration, ListedTool, Sha256, ToolSources } from "@xworkmate/contracts";
import { KeyRound } from "lucide-react";
import { type ReactNode, useCallback, useRef, useState } from "react";
import { riskWords } from "../../strings/calls/call-words.ts";
import { ownRuleWords, reviewWords as words } from "../../strings/calls/tools-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { RiskMark } from "../components/risk-mark.tsx";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { CodeChanges, changedFiles } from "../sources/code-changes.tsx";
import { go, hrefOf } from "../state/route.ts";
import { say } from "../state/toasts.ts";
import { digitsOf } from "../text/digits.ts";
import { visibleName } from "../text/visible-text.ts";
import { newPowers, ownRuleOf, type Power } from "./new-powers.ts";
import { useToolNews } from "./use-tool-news.ts";

interface Review {
	readonly sources?: ToolSources;
	readonly problem?: string;
	/** True if this version replaced another that the user was reading. */
	readonly isReplaced?: true;
}

/**
 * The newest version of an integration, for the user's decision: first the changes in what it can do, then those in its code. The user
 * accepts exactly what is shown.
 */
export function ReviewPage({ integration }: { readonly integration: string }) {
	const { sources, problem, isReplaced, read } = useReview(integration);
	const name = visibleName(integration);
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={fill(words.title, { name })} back={{ href: hrefOf({ page: "tools" }), label: words.back }} />
			<div className="scroll">
				<div className="page wide review">
					{isReplaced && (
						<div className="note" role="status">
							<p className="grow">
								<b>{fill(words.changed, { name })}</b>
							</p>
						</div>
					)}
					<ReadState isRead={sources !== undefined} {...{ problem, words, read }} />
					{sources !== undefined && <Version sources={sources} />}
				</div>
			</div>
			{sources !== undefined && <AcceptBar sources={sources} readAgain={read} />}
		</main>
	);
}

function useReview(integration: string) {
	const [review, setReview] = useState<Review>({});
	/** The number of the newest read. The results of earlier ones are dropped. */
	const current = useRef(0);
	const read = useCallback(() => {
		current.current += 1;
		const own = current.current;
		callApp("toolSources", { integration }).then(
			(sources) => own === current.current && setReview((before) => nextReview(before, sources)),
			(error: unknown) => own === current.current && setReview((before) => ({ ...before, problem: sayError(error) })),
		);
	}, [integration]);
	useToolNews(read);
	return { ...review, read };
}

function nextReview({ sources: shown, isReplaced }: Review, sources: ToolSources): Review {
	const isOther = shown !== undefined && shown.toolHash !== sources.toolHash;
	return { sources, ...((isOther || isReplaced) && { isReplaced: true }) };
}

function Version({ sources }: { readonly sources: ToolSources }) {
	const { files, tools, toolHash, accepted } = sources;
	const changed = changedFiles(accepted?.files, files);
	return (
		<>
			{tools !== undefined && (
				<Powers before={accepted?.tools} after={tools} isFirst={accepted === undefined} isSame={accepted?.toolHash === toolHash} />
			)}
			<section className="block spaced" aria-label={words.code}>
				<h2>
					{words.code} <span className="muted normal">{sayCount(changed.length, words.files)}</span>
				</h2>
				{changed.length === 0 && <p className="muted">{words.same}</p>}
				<CodeChanges files={changed} />
			</section>
		</>
	);
}

interface PowersProps {
	/**
	 * Undefined if no version has been accepted yet, or if the tools of the accepted one are unknown. Then nothing counts as a change, and
	 * everything is listed.
	 */
	readonly before: readonly ListedTool[] | undefined;
	readonly after: readonly ListedTool[];
	readonly isFirst: boolean;
	/** True for the accepted version itself. Nothing in it has changed, even if a bridge recorded less of it when it was accepted. */
	readonly isSame: boolean;
}

function Powers({ before, after, isFirst, isSame }: PowersProps) {
	const powers = before !== undefined && isSame ? [] : newPowers(before ?? [], after);
	const head = before === undefined ? words.all : words.powers;
	return (
		<section className="block" aria-label={head}>
			<h2>{head}</h2>
			{before === undefined && !isFirst && <p className="muted small">{words.allSay}</p>}
			{powers.length === 0 ? (
				<p className="muted">{words.noPowers}</p>
			) : (
				<ul className="list">
					{powers.map((power) => (
						<PowerItem
							key={`${power.kind} ${power.tool.toolId} ${power.kind === "secret" ? power.name : ""}`}
							power={power}
							isKnown={before !== undefined}
						/>
					))}
				</ul>
			)}
		</section>
	);
}

function PowerItem({ power, isKnown }: { readonly power: Power; readonly isKnown: boolean }) {
	const { tool } = power;
	const [what, say] = powerWords(power);
	return (
		<li className="item">
			<div>
				<p className="tool-line">
					{power.kind === "secret" ? (
						<>
							<Icon of={KeyRound} small />
							<code className="tid">{visibleName(power.name)}</code>
						</>
					) : (
						<>
							<RiskMark risk={tool.risk} />
							<code className="tid">{tool.toolId}</code>
						</>
					)}
				</p>
				{say !== "" && <div className="sub">{say}</div>}
			</div>
			{isKnown && <span className="st soft">{what}</span>}
		</li>
	);
}

function powerWords(power: Power): readonly [what: string, say: ReactNode] {
	const { tool } = power;
	switch (power.kind) {
		case "new": {
			const own = ownRuleOf(tool);
			return [words.isNew, own === "risk" || own === "unknown" ? "" : fill(words.ownRule, { rule: ownRuleWords[own] })];
		}
		case "gone":
			return [words.gone, ""];
		case "risk": {
			const values = { before: riskWords[power.before].word.toLowerCase(), after: riskWords[tool.risk].word.toLowerCase() };
			return power.isLower ? [words.riskLowered, fill(words.wasLowered, values)] : [words.riskRaised, fill(words.was, values)];
		}
		case "rule": {
			const { before, after } = power;
			const isKnown = before !== "unknown" && after !== "unknown";
			const values = { before: ownRuleWords[before], after: ownRuleWords[after] };
			return [isKnown ? words.rule : words.ruleUnknown, fill(ruleSentence(power), values)];
		}
		case "window":
			return [words.window, words.windowSay];
		case "idempotent":
			return [words.idempotent, words.idempotentSay];
		case "secret":
			return [words.secret, fill(words.secretSay, { name: visibleName(power.name), tool: tool.toolId })];
	}
}

function ruleSentence({ before, after }: Extract<Power, { kind: "rule" }>): string {
	if (before === after) return words.rulesUnknown;
	if (before === "code") return words.codeBefore;
	return after === "code" ? words.codeNow : words.ruleWas;
}

interface AcceptBarProps {
	readonly sources: ToolSources;
	readAgain(): void;
}

/** A press counts only for the version that was shown when it began. */
function AcceptBar({ sources: { integration, toolHash, accepted }, readAgain }: AcceptBarProps) {
	const pressed = useRef<Sha256>(undefined);
	const [isSending, setSending] = useState(false);
	const [problem, setProblem] = useState<string>();
	const isAlready = accepted?.toolHash === toolHash;
	const begin = () => {
		pressed.current = toolHash;
	};
	const accept = async () => {
		const begunAt = pressed.current ?? toolHash;
		pressed.current = undefined;
		if (begunAt !== toolHash || isSending) return;
		setSending(true);
		setProblem(undefined);
		try {
			const { integration: name }: Integration = await callApp("acceptTools", { integration, toolHash });
			say(fill(words.accepted, { name }));
			go({ page: "tools" });
		} catch (error) {
			// The newest version replaces this one, and the page says so.
			if (error instanceof AppRefusal && error.code === "TOOL_CHANGED") readAgain();
			else setProblem(sayError(error));
			setSending(false);
		}
	};
	const digits = { before: digitsOf(accepted?.toolHash ?? ""), after: digitsOf(toolHash) };
	return (
		<footer className="sticky-foot">
			{!isAlready && (
				<button
					type="button"
					className="btn pri lg"
					aria-busy={isSending}
					onPointerDown={begin}
					onKeyDown={begin}
					onClick={() => void accept()}
				>
					{isSending ? words.accepting : words.accept}
				</button>
			)}
			<a className="btn lg" href={hrefOf({ page: "tools" })}>
				{isAlready ? words.back : words.notNow}
			</a>
			{problem === undefined ? (
				<span className="grow muted small">{isAlready ? words.already : words.untilThen}</span>
			) : (
				<span className="grow st-bad wrap" role="alert">
					{problem}
				</span>
			)}
			<span className="hash">{fill(accepted === undefined || isAlready ? words.only : words.from, digits)}</span>
		</footer>
	);
}
