import type { RequiredArtifact } from "@xworkmate/contracts";
import { requiredGlobProblem } from "@xworkmate/contracts/artifact-glob";
import { FileCheck, X } from "lucide-react";
import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";

interface RequiredGlobsProps {
	readonly globs: readonly RequiredArtifact[];
	change(globs: readonly RequiredArtifact[]): void;
}

const MAX_COUNT = 10_000;

/** The required files, and how many of each. An invalid pattern is reported at once, so that it does not make a run fail later. */
export function RequiredGlobs({ globs, change }: RequiredGlobsProps) {
	const [text, setText] = useState("");
	const [problem, setProblem] = useState<string>();
	const add = (glob: string) => {
		if (glob === "") return;
		const found = problemOf(glob);
		setProblem(found);
		if (found !== undefined) return;
		setText("");
		if (!globs.some((one) => one.glob === glob)) change([...globs, { glob, minCount: 1 }]);
	};
	return (
		<fieldset className="must" aria-label={words.composer.mustGroup}>
			<Icon of={FileCheck} small />
			<span>{words.composer.must}</span>
			{globs.map((one) => (
				<RequiredGlob
					key={one.glob}
					one={one}
					change={(minCount) => change(globs.map((other) => (other === one ? { ...one, minCount } : other)))}
					drop={() => change(globs.filter((other) => other !== one))}
				/>
			))}
			<input
				className="glob-new"
				aria-label={words.composer.mustAdd}
				placeholder={words.composer.mustHint}
				maxLength={500}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onBlur={() => add(text.trim())}
				onKeyDown={(event) => {
					if (event.nativeEvent.isComposing) return;
					if (event.key === "Enter" || event.key === ",") {
						event.preventDefault();
						add(text.trim());
					} else if (event.key === "Backspace" && text === "") change(globs.slice(0, -1));
				}}
			/>
			{problem !== undefined && (
				<span className="st st-bad small wrap" role="alert">
					{problem}
				</span>
			)}
		</fieldset>
	);
}

interface RequiredGlobProps {
	readonly one: RequiredArtifact;
	change(minCount: number): void;
	drop(): void;
}

function RequiredGlob({ one: { glob, minCount }, change, drop }: RequiredGlobProps) {
	const name = visibleName(glob);
	return (
		<span className="glob">
			<code className="cut">{name}</code>
			{isPattern(glob) && (
				<input
					type="number"
					className="glob-count num"
					aria-label={fill(words.composer.mustCount, { glob: name })}
					title={words.composer.mustCountHint}
					min={1}
					max={MAX_COUNT}
					value={minCount}
					onChange={(event) => {
						const wanted = event.target.valueAsNumber;
						if (Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_COUNT) change(wanted);
					}}
				/>
			)}
			<button type="button" className="ib" aria-label={fill(words.composer.mustNot, { glob: name })} onClick={drop}>
				<Icon of={X} small />
			</button>
		</span>
	);
}

/** True for a pattern, which may require several files. A plain name matches one file. */
function isPattern(glob: string): boolean {
	return /[*?[{]/.test(glob);
}

function problemOf(glob: string): string | undefined {
	if (glob.startsWith("/") || glob.split("/").includes("..")) return words.composer.mustRelative;
	return requiredGlobProblem(glob);
}
