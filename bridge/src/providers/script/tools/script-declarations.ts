/** What a script may call, for the type checker. The implementation is `script-tools.ts`. */
export const scriptDeclarations = `
interface ToolError { readonly code: string; readonly message: string }
type ToolResult<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: ToolError };
interface WrittenFile { readonly path: string; readonly sizeBytes: number }
declare const tools: {
	readonly files: {
		write(input: { path: string; text: string; base64?: never } | { path: string; base64: string; text?: never }): Promise<ToolResult<WrittenFile>>;
		read(input: { path: string }): Promise<ToolResult<{ readonly path: string; readonly text: string; readonly sizeBytes: number }>>;
		list(input: {}): Promise<ToolResult<{ readonly files: readonly WrittenFile[] }>>;
	};
	readonly time: {
		wait(input: { ms: number }): Promise<ToolResult<{ readonly ms: number }>>;
	};
};
declare const console: {
	log(...values: unknown[]): void;
	info(...values: unknown[]): void;
	warn(...values: unknown[]): void;
	error(...values: unknown[]): void;
	debug(...values: unknown[]): void;
};
`;
