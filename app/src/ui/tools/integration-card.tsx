import type { Integration, ListedTool, PolicyDecision, ToolProblem } from "@xworkmate/contracts";
import { CircleCheck, Hand, type LucideIcon, OctagonX } from "lucide-react";
import { integrationWords, ruleWords, toolProblemWords, toolsPageWords as words } from "../../strings/calls/tools-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { whoOf } from "../../text/calls/decision-line.ts";
import { Icon } from "../components/icon.tsx";
import { RiskMark } from "../components/risk-mark.tsx";
import { hrefOf } from "../state/route.ts";
import { digitsOf } from "../text/digits.ts";
import { formatWhen } from "../text/format.ts";
import { visibleName, visibleText } from "../text/visible-text.ts";

export type Rule = PolicyDecision | "inherit";

interface IntegrationCardProps {
	readonly integration: Integration;
	readonly isBusy: boolean;
	reload(): void;
	setRule(tool: ListedTool, rule: Rule): void;
}

const looks: Readonly<Record<Integration["state"], readonly [LucideIcon, string]>> = {
	failed: [OctagonX, "st-bad"],
	unaccepted: [Hand, "st-need"],
	active: [CircleCheck, "st-ok"],
};

/** One integration: whether its code may run, what is wrong with it, and the rule for each of its tools. */
export function IntegrationCard({ integration: one, isBusy, reload, setRule }: IntegrationCardProps) {
	const { integration, state, toolHash, accepted, problems, tools } = one;
	const [icon, tone] = looks[state];
	return (
		<section className="list" aria-label={integration}>
			<div className="item top">
				<div>
					<h3 className="nm">{integration}</h3>
					<div className="sub">
						<span className={`st ${tone}`}>
							<Icon of={icon} />
							{integrationWords[state]}
						</span>
						{state === "failed" && tools.length > 0 && <span>{words.stays}</span>}
						{state === "unaccepted" && <span>{words.asksUntil}</span>}
						{accepted !== undefined && state === "active" && (
							<span>{fill(words.acceptedAt, { when: formatWhen(accepted.at, Date.now()), name: visibleName(whoOf(accepted.by)) })}</span>
						)}
						{toolHash !== undefined && (
							<span className="hash">
								{words.version} <code>{digitsOf(toolHash)}</code>
							</span>
						)}
					</div>
				</div>
				<div className="end">
					{state === "unaccepted" && (
						<a
							className="btn pri"
							href={hrefOf({ page: "tools", review: integration })}
							aria-label={fill(words.reviewOf, { name: integration })}
						>
							{words.review}
						</a>
					)}
					{state === "failed" && (
						<button
							type="button"
							className="btn"
							disabled={isBusy}
							onClick={reload}
							aria-label={fill(words.reloadOf, { name: integration })}
						>
							{words.reload}
						</button>
					)}
				</div>
				{problems.length > 0 && (
					<ul className="full spaced">
						{problems.map((problem) => (
							<Problem key={JSON.stringify(problem)} integration={integration} problem={problem} />
						))}
					</ul>
				)}
			</div>
			{tools.length > 0 && (
				<ul>
					{tools.map((tool) => (
						<ToolRow key={tool.toolId} tool={tool} setRule={(rule) => setRule(tool, rule)} />
					))}
				</ul>
			)}
		</section>
	);
}

function Problem({ integration, problem }: { readonly integration: string; readonly problem: ToolProblem }) {
	const { code, message, file, line, column } = problem;
	const { title, hint } = toolProblemWords[code];
	const path = file === undefined ? undefined : visibleName(`tools/${integration}/${file}`);
	const where =
		line === undefined ? path : fill(column === undefined ? words.atLine : words.at, { file: path ?? "", line, column: column ?? 0 });
	return (
		<li>
			<p className="wrap">
				<b className="strong">{title}</b> {where !== undefined && <code>{where}</code>} <span className="code-chip">{code}</span>
			</p>
			{message !== "" && <p className="wrap pre">{visibleText(message, "keep").text}</p>}
			{hint !== undefined && <p className="muted small">{hint}</p>}
		</li>
	);
}

/**
 * What applies to a tool that the user has set no rule for: the tool's own rule. Without one, its risk decides, or the tool decides for
 * each call. "Default" may be either for a version that an older bridge loaded, which didn't record whether a tool's code decides.
 */
export function inheritedRule({ policy, codeDecides }: Pick<ListedTool, "policy" | "codeDecides">): string {
	if (codeDecides === true) return words.codeRule;
	return policy === undefined ? words.defaultRule : fill(words.toolRuleOf, { rule: ruleWords[policy].toLowerCase() });
}

function ToolRow({ tool, setRule }: { readonly tool: ListedTool; setRule(rule: Rule): void }) {
	const { toolId, risk, rule, secrets } = tool;
	return (
		<li className="tool-row">
			<div>
				<code className="tid">{toolId}</code>
				{secrets.length > 0 && <span className="d wrap">{fill(words.secret, { names: secrets.map(visibleName).join(", ") })}</span>}
			</div>
			<RiskMark risk={risk} />
			<select
				className={`sel ${rule === undefined ? "" : "is-set"}`}
				aria-label={fill(words.rule, { tool: toolId })}
				value={rule ?? "inherit"}
				onChange={(event) => setRule(event.target.value as Rule)}
			>
				<option value="inherit">{inheritedRule(tool)}</option>
				<option value="allow">{ruleWords.allow}</option>
				<option value="ask">{ruleWords.ask}</option>
				<option value="deny">{ruleWords.deny}</option>
			</select>
		</li>
	);
}
