import type { RequiredArtifact } from "@xworkmate/contracts";
import { FileCheck, X } from "lucide-react";
import { useState } from "react";
import { fill, words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";
import { isEntryComplete, takeTyped } from "./typed-globs.ts";

interface RequiredGlobsProps {
	readonly globs: readonly RequiredArtifact[];
	/** True if the run must deliver at least one file, whatever its name. */
	readonly isAnyRequired: boolean;
	/** The text in the field, which has not been added to the required files yet. */
	readonly text: string;
	setText(text: string): void;
	change(globs: readonly RequiredArtifact[]): void;
	dropAny(): void;
}

const MAX_COUNT = 10_000;

/** The required files, and how many of each. An invalid pattern is reported immediately, so that it does not make a run fail later. */
export function RequiredGlobs({ globs, isAnyRequired, text, setText, change, dropAny }: RequiredGlobsProps) {
	const [isTried, setTried] = useState(false);
	const problem = isTried ? takeTyped(text, globs).problem : undefined;
	const add = (typed: string) => {
		const taken = takeTyped(typed, globs);
		setTried(taken.rest !== "");
		setText(taken.rest);
		if (taken.globs.length > globs.length) change(taken.globs);
	};
	return (
		<fieldset className="must" aria-label={words.composer.mustGroup}>
			<Icon of={FileCheck} small />
			<span>{words.composer.must}</span>
			{isAnyRequired && (
				<span className="glob">
					<span>{words.composer.mustAny}</span>
					<DropButton name={words.composer.mustAny} drop={dropAny} />
				</span>
			)}
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
				onChange={({ target: { value } }) => (isEntryComplete(value) ? add(value) : setText(value))}
				onBlur={() => add(text)}
				onKeyDown={(event) => {
					if (event.nativeEvent.isComposing) return;
					if (event.key === "Enter") {
						event.preventDefault();
						add(text);
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
			<DropButton name={name} drop={drop} />
		</span>
	);
}

function DropButton({ name, drop }: { readonly name: string; drop(): void }) {
	return (
		<button type="button" className="ib" aria-label={fill(words.composer.mustNot, { glob: name })} onClick={drop}>
			<Icon of={X} small />
		</button>
	);
}

/** True for a pattern, which may require several files. A plain name matches one file. */
function isPattern(glob: string): boolean {
	return /[*?[{]/.test(glob);
}
