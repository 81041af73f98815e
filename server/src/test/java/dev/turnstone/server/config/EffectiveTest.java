package dev.turnstone.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EffectiveTest {
    @ParameterizedTest
    @CsvSource({
        "x.password,true",
        "x.apiKey,true",
        "x.api-key,true",
        "x.passphrase,true",
        "x.pwd,true",
        "x.\"client_secret\",true",
        "listen[0].tls.passwordFile,false",
        "listen[0].tls.key,false",
        "security.jwt.keys,false",
        "security.authenticator.options.\"server\",true",
        "security.authorizer.options.\"salt\",true",
        "security.authenticator.name,false",
        "data,false"
    })
    void whatMayBeSecretIsMasked(String name, boolean secret) {
        Effective setting = new Effective(name, "hidden", Origin.DEFAULT, false);
        assertThat(setting.shown()).isEqualTo(secret ? "******" : "hidden");
    }
}
