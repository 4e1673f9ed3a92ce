import { useRef } from "react";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import type { FieldProps } from "./setting-editor.tsx";
import { nameOf } from "./setting-list.ts";

interface SecretFieldProps extends FieldProps {
	store(secret: string | undefined): Promise<boolean>;
}

/** A field for a secret, which is sent from the field directly and is never in the page's state. */
export function SecretField({ row, id, describedBy, isWrong, isBusy, store }: SecretFieldProps) {
	const field = useRef<HTMLInputElement>(null);
	const isSet = row.source !== "default";
	const submit = () => {
		const typed = field.current?.value ?? "";
		if (field.current !== null) field.current.value = "";
		// The app removes the spaces around a secret, so spaces alone would be an empty one.
		if (typed.trim() !== "") void store(typed);
	};
	return (
		<form
			className="pair"
			onSubmit={(event) => {
				event.preventDefault();
				if (!isBusy) submit();
			}}
		>
			<input
				ref={field}
				className="in"
				id={id}
				type="password"
				autoComplete="off"
				placeholder={isSet ? words.sources.secretFile : words.unset}
				aria-describedby={describedBy}
				aria-invalid={isWrong}
			/>
			<button type="submit" className="btn" aria-disabled={isBusy}>
				{isSet ? words.replace : words.store}
			</button>
			{isSet && (
				<button
					type="button"
					className="btn quiet"
					aria-label={fill(words.forgetOf, { name: nameOf(row) })}
					aria-disabled={isBusy}
					onClick={() => void (isBusy || store(undefined))}
				>
					{words.forget}
				</button>
			)}
		</form>
	);
}
