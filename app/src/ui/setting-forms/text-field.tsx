import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import type { FieldProps } from "./setting-editor.tsx";
import { useEdited } from "./use-edited.ts";

/** A string, or a list of strings, one per line. If the field is empty, the setting is unset. */
export function TextField({ row, id, describedBy, isWrong, isBusy, save, isList = false }: FieldProps & { readonly isList?: boolean }) {
	const before = Array.isArray(row.value) ? row.value.join("\n") : String(row.value ?? "");
	const [text, setText] = useEdited(before, before);
	const isChanged = text !== before;
	const submit = () => {
		const lines = text
			.split("\n")
			.map((line) => line.trim())
			.filter((line) => line !== "");
		if (lines.length === 0) return save(undefined);
		return save(isList ? lines : text.trim());
	};
	const aria = { "aria-describedby": describedBy, "aria-invalid": isWrong };
	const common = { id, className: "in", spellCheck: false, autoComplete: "off", ...aria, value: text };
	return (
		<form
			className="pair"
			onSubmit={(event) => {
				event.preventDefault();
				if (isChanged) void submit();
			}}
		>
			{isList ? (
				<textarea
					{...common}
					rows={Math.min(6, Math.max(2, text.split("\n").length))}
					placeholder={words.items}
					onChange={(event) => setText(event.target.value)}
				/>
			) : (
				<input {...common} placeholder={words.unset} onChange={(event) => setText(event.target.value)} />
			)}
			{isChanged && (
				<button type="submit" className="btn" aria-disabled={isBusy}>
					{words.save}
				</button>
			)}
		</form>
	);
}
