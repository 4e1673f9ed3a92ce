import type { CSSProperties } from "react";
import { logPageWords } from "../../strings/runs/log-page-words.ts";
import { formatShort } from "../text/format.ts";
import type { RunPhase } from "../turn/run-phases.ts";

/** How a run spent its time, as a bar for the overview and in words. */
export function RunPhases({ phases }: { readonly phases: readonly RunPhase[] }) {
	if (phases.length === 0) return null;
	const longest = Math.max(...phases.map(({ milliseconds }) => milliseconds));
	return (
		<div className="phases">
			<div className="spans" aria-hidden="true">
				{phases.map(({ name, milliseconds }, index) => (
					<span
						// biome-ignore lint/suspicious/noArrayIndexKey: a phase is identified by its position; its name may occur twice
						key={index}
						className={milliseconds === longest ? "big" : ""}
						style={{ "--part": milliseconds } as CSSProperties}
						title={`${name} ${formatShort(milliseconds)}`}
					/>
				))}
			</div>
			<ol className="phase-words" aria-label={logPageWords.phases}>
				{phases.map(({ name, milliseconds }, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: as above
					<li key={index}>
						{name} <span className="num">{formatShort(milliseconds)}</span>
					</li>
				))}
			</ol>
		</div>
	);
}
