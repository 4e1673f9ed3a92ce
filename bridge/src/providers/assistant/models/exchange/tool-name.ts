/**
 * Makes a name that servers accept. If the model's made-up name were sent as it is, every later request in the conversation would be
 * refused.
 */
export function sendableName(name: string): string {
	return name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";
}
