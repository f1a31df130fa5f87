/** A setting of the endpoint cannot be used. `message` is one line that names the variable and says what to do. */
export class EndpointSettingsError extends Error {
  override readonly name = 'EndpointSettingsError';
}
