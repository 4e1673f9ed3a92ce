import type { UsageDay } from "../../api/usage-day.ts";
import { fill } from "../../strings/interface.ts";
import { usageWords as words } from "../../strings/settings/usage-words.ts";
import { formatCount } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";
import { formatCost } from "../turn/usage.ts";

const dayName = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });

interface UsageTableProps {
	readonly days: readonly UsageDay[];
	/** The label of the total, which is shown for more than one day. */
	readonly total?: string;
}

/** Tokens and costs by day, as agents reported them. */
export function UsageTable({ days, total = words.total }: UsageTableProps) {
	return (
		<div className="list usage-list">
			<table className="usage-table" aria-label={words.label}>
				<thead>
					<tr>
						{[words.day, words.runs, words.tokens, words.cost, words.silent].map((head) => (
							<th key={head} scope="col">
								{head}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{days.map((day) => (
						<UsageRow key={day.day} name={nameOf(day.day)} usage={day} />
					))}
				</tbody>
				{days.length > 1 && (
					<tfoot>
						<UsageRow name={total} usage={days.reduce(added)} />
					</tfoot>
				)}
			</table>
		</div>
	);
}

function UsageRow({ name, usage }: { readonly name: string; readonly usage: UsageDay }) {
	const { runs, tokenRuns, inputTokens, outputTokens, costRuns, costUsd, otherCurrencies, silentRuns } = usage;
	const other = fill(words.otherCurrencies, { currencies: visibleName(otherCurrencies.join(", ")) });
	return (
		<tr>
			<th scope="row">{name}</th>
			<td className="num" data-head={words.runs}>
				{runs}
			</td>
			<Figure head={words.tokens} some={tokenRuns} all={runs}>
				{fill(words.inOut, { input: formatCount(inputTokens), output: formatCount(outputTokens) })}
			</Figure>
			<Figure head={words.cost} some={costRuns} all={runs} {...(otherCurrencies.length > 0 && { other })}>
				{formatCost(costUsd)}
			</Figure>
			<td className="num" data-head={words.silent}>
				{silentRuns}
			</td>
		</tr>
	);
}

/** A sum, with the number of runs that it covers. If no run reported a figure, none is shown, not even zero. */
function Figure({
	head,
	some,
	all,
	other,
	children,
}: {
	readonly head: string;
	readonly some: number;
	readonly all: number;
	/** What was reported but is not in the sum. */
	readonly other?: string;
	readonly children: string;
}) {
	return (
		<td className="num" data-head={head}>
			{some === 0 ? (
				<span className="muted">{other ?? words.notReported}</span>
			) : (
				<>
					{children}
					{some < all && <span className="muted small"> {fill(words.ofRuns, { some, all })}</span>}
					{other !== undefined && <span className="muted small">, {other}</span>}
				</>
			)}
		</td>
	);
}

function added(one: UsageDay, other: UsageDay): UsageDay {
	return {
		day: one.day,
		runs: one.runs + other.runs,
		tokenRuns: one.tokenRuns + other.tokenRuns,
		inputTokens: one.inputTokens + other.inputTokens,
		outputTokens: one.outputTokens + other.outputTokens,
		costRuns: one.costRuns + other.costRuns,
		costUsd: one.costUsd + other.costUsd,
		otherCurrencies: [...new Set([...one.otherCurrencies, ...other.otherCurrencies])].sort(),
		silentRuns: one.silentRuns + other.silentRuns,
	};
}

/** "Mon 23 Nov", or the word for today. */
function nameOf(day: string): string {
	const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
	const at = new Date(year, month - 1, date);
	return at.toDateString() === new Date().toDateString() ? words.today : dayName.format(at);
}
